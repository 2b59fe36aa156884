package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

func TestImportCompletes(t *testing.T) {
	s, run := sample(t)
	old := export(t, s)
	to := newStore(t)
	_, err := to.Import(ctx, strings.NewReader(old))
	must(t, err)

	// The original run is continued: an answer in place of the failure, and more.
	answer := storetest.Typical(3)
	answer.Reply.Attempts[0].N = 3
	keep(t, s, run.N, answer, storetest.Typical(7))
	if ended, err := s.End(ctx, run.N, 0, time.Now()); err != nil || !ended {
		t.Fatal(ended, err)
	}
	newer := export(t, s)
	done, err := to.Import(ctx, strings.NewReader(newer))
	must(t, err)
	if len(done) != 1 || done[0].New || done[0].Saved != 2 || done[0].Known != 6 || done[0].Run.Ended.IsZero() {
		t.Errorf("%+v", done)
	}
	if got := export(t, to); got != newer {
		t.Errorf("want\n%s\ngot\n%s", newer, got)
	}
	done, err = to.Import(ctx, strings.NewReader(old)) // an older file removes nothing
	must(t, err)
	if got := export(t, to); got != newer || done[0].Saved != 0 {
		t.Errorf("%+v: want\n%s\ngot\n%s", done, newer, got)
	}
	wantTallies(t, to)
	must(t, to.Check(ctx))

	// What the database has stays, also where the file has something else under the
	// same name.
	_, err = to.Regrade(ctx, done[0].Run.N, version("3", verbatim.Refused), nil)
	must(t, err)
	_, err = to.Import(ctx, strings.NewReader(newer))
	must(t, err)
	if got := all(t, to, done[0].Run.N, Read{})[0].Grade; got.Outcome != verbatim.Refused {
		t.Errorf("import has replaced a grade by %q", got.Outcome)
	}
	wantTallies(t, to)
}

// TestImportKeepsEnds: a finished run with a record that its model cannot take is finished in a new
// database. One that was continued here, with a batch that is pending, is not.
func TestImportKeepsEnds(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "plan")
	keep(t, s, run.N, storetest.Typical(0))
	before := export(t, s)
	skipped := verbatim.Record{Seq: 1, Item: storetest.Typical(1).Item, Outcome: verbatim.Skipped, Failure: &verbatim.Failure{Class: verbatim.Unsupported, Err: errors.New("no images")}}
	for i, records := range [][]verbatim.Record{{skipped}, {storetest.Typical(1)}} {
		keep(t, s, run.N, records...)
		if ended, err := s.End(ctx, run.N, int64(1-i), time.Now()); err != nil || !ended {
			t.Fatal(ended, err)
		}
		done, err := newStore(t).Import(ctx, strings.NewReader(export(t, s)))
		if err != nil || done[0].Run.Ended.IsZero() {
			t.Errorf("%+v, %v", done, err)
		}
	}
	to := newStore(t)
	done, err := to.Import(ctx, strings.NewReader(before))
	must(t, err)
	w, err := to.Write(ctx, func([]Saved) {}, done[0].Run.N)
	must(t, err)
	_, err = w.BeginBatch(ctx, done[0].Run.N, []int64{1}, AnyTokens)
	must(t, errors.Join(err, w.Close()))
	done, err = to.Import(ctx, strings.NewReader(export(t, s)))
	if err != nil || done[0].Saved != 1 || !done[0].Run.Ended.IsZero() {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestImportKeepsItsOwnRuns: another run of the same name is another run.
func TestImportKeepsItsOwnRuns(t *testing.T) {
	s, run := sample(t)
	to := newStore(t)
	mine := newRun(t, to, run.Model, run.Plan.Hash)
	if mine.Name != run.Name {
		t.Fatalf("%q and %q", mine.Name, run.Name)
	}
	to2 := newStore(t)
	newRun(t, to2, "x", "y")
	done, err := to.Import(ctx, strings.NewReader(export(t, s)))
	must(t, err)
	if got := done[0].Run; got.N == mine.N || got.Name == mine.Name || !strings.HasSuffix(got.Name, "-2") {
		t.Errorf("%+v", got)
	}
	runs, err := to.Runs(ctx)
	must(t, err)
	if len(runs) != 2 || runs[0].Tally.Saved() != 0 || runs[1].Tally.Saved() != 7 {
		t.Errorf("%+v", runs)
	}
}

func TestImportWaitsForNoOne(t *testing.T) {
	s, run := sample(t)
	text := export(t, s)
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	_, err = s.Import(ctx, strings.NewReader(text))
	if held := new(Held); !errors.As(err, &held) {
		t.Errorf("into a run that is being written: %v", err)
	}
	must(t, w.Close())
}

// TestImportRefuses: each kind of bad line is named, and nothing of its run is saved,
// while the run before it is.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	s, _ := sample(t)
	second := newRun(t, s, "second", "abcdef0123456789")
	first := storetest.Typical(40) // an item that the first run does not have
	first.Seq = 0
	keep(t, s, second.N, first, storetest.Failed(1, verbatim.Errored, 1))
	good := strings.SplitAfter(strings.TrimSuffix(export(t, s), "\n"), "\n")
	lineWith := func(part string, nth int) int {
		for i, l := range good {
			if strings.HasPrefix(l, part) {
				if nth == 0 {
					return i
				}
				nth--
			}
		}
		t.Fatalf("no line begins with %s", part)
		return 0
	}
	run2 := lineWith(`{"run"`, 1)
	item, record, end := run2+1, run2+2, len(good)-1
	image, promptAt := lineWith(`{"blob"`, 0), lineWith(`{"prompt"`, 0)

	replace := func(i int, old, new string) []string {
		l := append([]string(nil), good...)
		if !strings.Contains(l[i], old) {
			t.Fatalf("line %d has no %s: %s", i+1, old, l[i])
		}
		l[i] = strings.Replace(l[i], old, new, 1)
		return l
	}
	without := func(i int) []string { return append(append([]string(nil), good[:i]...), good[i+1:]...) }
	cases := []struct {
		name  string
		lines []string
		line  int // 0: no line is named
		says  string
		runs  int // that are imported
	}{
		{"empty", nil, 0, "empty", 0},
		{"no header", good[1:], 1, "first line", 0},
		{"newer format", replace(0, "/1", "/2"), 1, "verbatim/store/1", 0},
		{"no JSON", replace(record, "{", "["), record + 1, "", 1},
		{"cut line", replace(record, "}\n", "\n"), record + 1, "", 1},
		{"two values", replace(record, "}\n", "}{}\n"), record + 1, "more than one", 1},
		{"a brace too many", replace(record, "}\n", "}}\n"), record + 1, "more than one", 1},
		{"a bracket too many", replace(record, "}\n", "} ]\n"), record + 1, "more than one", 1},
		{"unknown field", replace(record, `"seq"`, `"colour":1,"seq"`), record + 1, "colour", 1},
		{"says nothing", append(append([]string(nil), good[:record]...), "{}\n"), record + 1, "has 0 members", 1},
		{"says two things", replace(record, `{"record"`, `{"format":"verbatim/store/1","record"`), record + 1, "has 2 members", 1},
		{"no plan", without(1), 2, "plan", 0},
		{"no end", good[:end], end, "ends within", 1},
		{"no end, another run", without(lineWith(`{"end"`, 0)), run2, "no end line", 0},
		{"a record is missing", without(record), end, "end line says 2", 1},
		{"wrong end", replace(end, `"run":"`, `"run":"0`), end + 1, "end line says", 1},
		{"record before a run", []string{good[0], good[record]}, 2, "no run line before it", 0},
		{"item changed", replace(item, "Provide", "Produce"), item + 1, "hash", 1},
		{"item missing", without(item), item + 1, "not in the lines before", 1},
		{"odd hash", replace(record, `"hash":"`, `"hash":"x`), record + 1, "hex", 1},
		{"odd want", replace(item, `"want":"`, `"want":7,"grader":"`), item + 1, "want", 1},
		{"odd message", replace(item, `"content":"`, `"content":7,"x":"`), item + 1, "content", 1},
		{"unknown outcome", replace(record, `"outcome":"pass"`, `"outcome":"odd"`), record + 1, "odd", 1},
		{"another outcome", replace(record, `"outcome":"pass"`, `"outcome":"wrong"`), record + 1, "wrong", 1},
		{"answer without grade", replace(record, `"grade":{"outcome":"pass"`, `"grade":{"outcome":"wrong"`), record + 1, "no grade with the outcome", 1},
		{"grade without grader", replace(record, `,"grader":"text/1"`, ``), record + 1, "no grader", 1},
		{"failure with grade", replace(record+2, `"outcome":"error"`, `"outcome":"pass"`), record + 3, "no grade", 1},
		{"unknown finish", replace(record, `"finish":"stop"`, `"finish":"odd"`), record + 1, "odd", 1},
		{"place below 0", replace(record, `"seq":0`, `"seq":-1`), record + 1, "-1", 1},
		{"place above all", replace(record, `"seq":0`, `"seq":4294967296`), record + 1, "4294967296", 1},
		{"seq is a text", replace(record, `"seq":0`, `"seq":"0"`), record + 1, "seq", 1},
		{"closed without a verdict", replace(run2, `"uid":"`, `"test":{"kind":"check","closed":"2026-01-01T00:00:00Z"},"uid":"`), run2 + 1, "verdict", 1},
		{"no uid", replace(run2, `"uid":"`, `"uid":"","x":"`), run2 + 1, "x", 1},
		{"image changed", replace(image, `"data":"`, `"data":"AAAA`), image + 1, "hash", 0},
		{"image missing", without(image), image + 1, "image", 0},
		{"prompt changed", replace(promptAt, "brief", "short"), promptAt + 1, "hash", 0},
		{"prompt missing", without(promptAt), promptAt + 1, "not in the lines before", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			to := newStore(t)
			done, err := to.Import(ctx, strings.NewReader(strings.Join(c.lines, "")))
			if err == nil {
				t.Fatal("no error")
			}
			var at *lineError
			if errors.As(err, &at) != (c.line > 0) || c.line > 0 && at.Line != int64(c.line) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.says)
			}
			runs, err := to.Runs(ctx)
			must(t, err)
			if len(runs) != c.runs || len(done) != c.runs {
				t.Errorf("%d runs are there, %d reported, want %d", len(runs), len(done), c.runs)
			}
			// Items may stay: a slow import commits them before the line that is bad.
			if c.runs == 0 && count(t, to, `SELECT count(*) FROM reply`) != 0 {
				t.Error("something of the run was saved")
			}
			must(t, to.Check(ctx))
			wantTallies(t, to)
		})
	}
}

// TestImportTakesWhatPeopleDo imports files that were joined, and empty lines.
func TestImportTakesWhatPeopleDo(t *testing.T) {
	s, run := sample(t)
	second := newRun(t, s, "second", run.Plan.Hash)
	keep(t, s, second.N, storetest.Typical(0))
	joined := export(t, s, second.N) + "\n \n" + strings.TrimSuffix(export(t, s, run.N), "\n")
	to := newStore(t)
	done, err := to.Import(ctx, strings.NewReader(joined))
	must(t, err)
	if len(done) != 2 || done[0].Saved != 1 || done[1].Saved != 7 {
		t.Errorf("%+v", done)
	}
	if err := s.Export(ctx, new(bytes.Buffer), 99); err == nil {
		t.Error("a run that does not exist was exported")
	}
}

// TestImportKilled kills imports: a new run is not visible, and what the import left
// behind is removed by the next import, which is complete.
func TestImportKilled(t *testing.T) {
	if os.Getenv("VERBATIM_KILLS") == "" {
		t.Skip("VERBATIM_KILLS=50 runs this test; scripts/check kills does")
	}
	from := newStore(t)
	run := newRun(t, from, "m", "h")
	fillRun(t, from, run.N, 5000)
	text := export(t, from)
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	seen := 0
	for range 6 {
		c := child(t, "import", path)
		c.Stdin = strings.NewReader(text)
		must(t, c.Start())
		begun := time.Now()
		for count(t, s, `SELECT count(*) FROM incoming`) == 0 && time.Since(begun) < 10*time.Second {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
		c.Process.Kill()
		c.Wait()
		runs, err := s.Runs(ctx)
		must(t, err)
		if len(runs) == 1 {
			break // it was complete before the kill
		}
		if len(runs) != 0 {
			t.Fatalf("%d runs", len(runs))
		}
		seen += int(count(t, s, `SELECT count(*) FROM reply`))
		must(t, s.Check(ctx))
	}
	if seen == 0 {
		t.Error("no kill met an import half-way: the test proves nothing")
	}
	if _, err := s.Import(ctx, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	runs, err := s.Runs(ctx)
	must(t, err)
	if len(runs) != 1 || runs[0].Tally.Saved() != 5000 {
		t.Fatalf("%+v", runs)
	}
	must(t, s.Export(ctx, &again, runs[0].N))
	if again.String() != text {
		t.Error("the run differs from the one that was exported")
	}
	if n := count(t, s, `SELECT (SELECT count(*) FROM incoming) + (SELECT count(*) FROM lease) + (SELECT count(*) FROM reply) - 5000`); n != 0 {
		t.Errorf("%d rows are left of the imports that were killed", n)
	}
	wantTallies(t, s)
}

// TestImportIntoRunKilled: lines for a run that is here are added in slices; what a kill
// leaves is a part of them, and the same import completes it.
func TestImportIntoRunKilled(t *testing.T) {
	if os.Getenv("VERBATIM_KILLS") == "" {
		t.Skip("VERBATIM_KILLS=50 runs this test; scripts/check kills does")
	}
	from := newStore(t)
	run := newRun(t, from, "m", "h")
	keep(t, from, run.N, storetest.Typical(0))
	first := export(t, from)
	for i := range int64(5) {
		recs := series(1+i*1000, 1000)
		keep(t, from, run.N, recs...)
	}
	text := export(t, from)
	path := filepath.Join(t.TempDir(), "verbatim.db")
	s := create(t, path)
	_, err := s.Import(ctx, strings.NewReader(first))
	must(t, err)
	c := child(t, "import", path)
	c.Stdin = strings.NewReader(text)
	must(t, c.Start())
	begun := time.Now()
	for count(t, s, `SELECT count(*) FROM reply`) == 1 && time.Since(begun) < 20*time.Second {
		time.Sleep(time.Millisecond)
	}
	c.Process.Kill()
	c.Wait()
	wantTallies(t, s)
	part := count(t, s, `SELECT count(*) FROM reply`)
	done, err := s.Import(ctx, strings.NewReader(text))
	must(t, err)
	if len(done) != 1 || done[0].New || done[0].Known != part || done[0].Saved != 5001-part {
		t.Errorf("%d records were there: %+v", part, done)
	}
	if got := export(t, s); got != text {
		t.Error("the run differs from the one that was exported")
	}
	wantTallies(t, s)
}

// TestBadLineAfterSlices: a bad line at the end of a long import leaves nothing
// visible, of a new run or of one that the database has.
func TestBadLineAfterSlices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: nothing in this test runs concurrently")
	}
	from := newStore(t)
	run := newRun(t, from, "m", "h")
	keep(t, from, run.N, storetest.Typical(0))
	first := export(t, from)
	keep(t, from, run.N, series(1, 4000)...)
	text := export(t, from)
	bad := text[:strings.LastIndex(text, `{"end"`)] + "{}\n"
	s := newStore(t)
	if _, err := s.Import(ctx, strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "has 0 members") {
		t.Fatalf("%v", err)
	}
	if n := count(t, s, `SELECT (SELECT count(*) FROM reply) + (SELECT count(*) FROM grade) + (SELECT count(*) FROM answer) + (SELECT count(*) FROM tally) + (SELECT count(*) FROM run) + (SELECT count(*) FROM incoming)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	_, err := s.Import(ctx, strings.NewReader(first))
	must(t, err)
	if _, err := s.Import(ctx, strings.NewReader(bad)); err == nil {
		t.Fatal("no error")
	}
	if n := count(t, s, `SELECT count(*) FROM reply`); n != 1 {
		t.Errorf("%d records after a bad import into a run of one record", n)
	}
	wantTallies(t, s)
}

// series makes n records, the first of them at the position first.
func series(first, n int64) []verbatim.Record {
	var recs []verbatim.Record
	for i := range n {
		recs = append(recs, storetest.Typical(first+i))
	}
	return recs
}

// TestLostImport: an incoming run, which has no name yet, may be taken over like any other.
func TestLostImport(t *testing.T) {
	s := newStore(t)
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		l, err := claim(ctx, c, 7, time.Now(), nil)
		must(t, err)
		_, _, err = c.Exec(`UPDATE lease SET token = 'of another process'`)
		must(t, err)
		held, ok := errors.AsType[*Held](l.Check(ctx, c))
		if !ok || held.Run != "7" || held.PID != os.Getpid() {
			t.Errorf("%+v", held)
		}
		return nil
	}))
}

// export writes runs as lines; no runs means all.
func export(tb testing.TB, s *Store, runs ...int64) string {
	tb.Helper()
	if len(runs) == 0 {
		list, err := s.Runs(ctx)
		must(tb, err)
		for _, r := range list {
			runs = append(runs, r.N)
		}
	}
	var b bytes.Buffer
	must(tb, s.Export(ctx, &b, runs...))
	return b.String()
}

// TestExportImportExport: what is exported, imported elsewhere and exported again is
// the same byte for byte, whatever the two files hold in addition, and importing it
// twice changes nothing.
func TestExportImportExport(t *testing.T) {
	t.Parallel()
	from, to := newStore(t), newStore(t)
	n, recs, batches := 0, 0, 0
	trip := func(t *rapid.T) {
		var runs, copies []int64
		for range rapid.IntRange(0, 2).Draw(t, "runs") {
			n++
			run, _, err := from.Begin(ctx, verbatim.Run{
				Plan:  verbatim.Plan{Hash: fmt.Sprintf("%06x", n), Suite: storetest.Unicode().Draw(t, "suite"), Seed: rapid.Uint64().Draw(t, "seed")},
				Model: "m" + storetest.Unicode().Draw(t, "model"), Tool: storetest.Unicode().Draw(t, "tool"), Origin: storetest.Unicode().Draw(t, "origin"), Started: time.Unix(0, rapid.Int64().Draw(t, "started")).UTC(),
				Price: price().Draw(t, "price"), Test: hostileTest().Draw(t, "test"),
				Params: verbatim.Params{Temperature: storetest.Maybe(rapid.Float64Range(0, 2)).Draw(t, "temperature"), Seed: storetest.Maybe(rapid.Int64()).Draw(t, "seed"), Effort: storetest.Unicode().Draw(t, "effort")},
			}, true)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, run.N)
			recs += hostileKept(t, from, run)
			batches += hostileBatches(t, from, run)
		}
		before := exported(t, from, runs)
		for pass := range 2 {
			done, err := to.Import(ctx, strings.NewReader(before))
			if err != nil || len(done) != len(runs) {
				t.Fatal(len(done), err)
			}
			copies = nil
			for _, d := range done {
				copies = append(copies, d.Run.N)
				if d.New != (pass == 0) || pass == 1 && d.Saved != 0 {
					t.Fatalf("pass %d: %+v", pass, d)
				}
			}
			if after := exported(t, to, copies); after != before {
				t.Fatalf("pass %d\n%s\n%s", pass, before, after)
			}
		}
		if _, err := from.Import(ctx, strings.NewReader(before)); err != nil {
			t.Fatal(err)
		}
		if again := exported(t, from, runs); again != before {
			t.Fatalf("importing its own export changed the file\n%s\n%s", before, again)
		}
	}
	enough := func() bool { return n >= 10 && recs >= 20 && batches >= 10 }
	for round := 0; round == 0 || round < 5 && !enough(); round++ { // with -short few are drawn at a time
		rapid.Check(t, trip)
	}
	if !enough() {
		t.Fatalf("only %d runs with %d records and %d batches", n, recs, batches)
	}
	for _, s := range []*Store{from, to} {
		wantTallies(t, s)
		must(t, s.Check(ctx))
	}
}

// hostileTest draws tests for runs; some are nil.
func hostileTest() *rapid.Generator[*verbatim.Test] {
	return storetest.Maybe(rapid.Custom(func(t *rapid.T) verbatim.Test {
		return verbatim.Test{Kind: storetest.Unicode().Draw(t, "kind"), Baseline: storetest.Unicode().Draw(t, "against"), Settings: rapid.MapOfN(storetest.Unicode(), storetest.Unicode(), 0, 4).Draw(t, "settings")}
	}))
}

func price() *rapid.Generator[*verbatim.Price] {
	return storetest.Maybe(rapid.Custom(func(t *rapid.T) verbatim.Price {
		some := rapid.Map(storetest.Amounts(), func(m *verbatim.Money) verbatim.Money {
			if m == nil {
				return 0
			}
			return *m
		})
		return verbatim.Price{Input: some.Draw(t, "input"), Cached: storetest.Amounts().Draw(t, "cached"), Output: some.Draw(t, "output"), Request: some.Draw(t, "request"),
			Batch: storetest.Maybe(rapid.Float64Range(0, 1)).Draw(t, "batch"), Source: storetest.Unicode().Draw(t, "source"), AsOf: storetest.Unicode().Draw(t, "as of")}
	}))
}

// hostileBatches saves batches of a run and returns how many.
func hostileBatches(t *rapid.T, s *Store, run verbatim.Run) int {
	n := rapid.IntRange(0, 3).Draw(t, "batches")
	err := s.file.Update(ctx, func(c *sqlite.Conn) error {
		for i := range n {
			seqs := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, MaxSeq)), 1, 9, rapid.ID).Draw(t, "places")
			slices.Sort(seqs)
			b := Batch{Run: run.N, Key: fmt.Sprintf("%d-%d-%s", run.N, i, storetest.Unicode().Draw(t, "key")), ID: storetest.Unicode().Draw(t, "id"), Phase: rapid.SampledFrom(phases).Draw(t, "phase"),
				Positions: seqs, Raw: storetest.Unicode().Draw(t, "raw"), Intended: storetest.Instants().Draw(t, "intended"), Submitted: storetest.Instants().Draw(t, "submitted"), Ended: storetest.Instants().Draw(t, "ended")}
			if b.ID == "" {
				b.Phase = Intended
			}
			if err := b.Insert(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// hostileKept saves hostile records in a run, some graded twice, and returns how many.
func hostileKept(t *rapid.T, s *Store, run verbatim.Run) int {
	recs := storetest.HostileRun(t, run.Name)
	keepAll(t, s, run.N, recs)
	if rapid.Bool().Draw(t, "regrade") {
		g := storetest.Grades("text/2")
		_, err := s.Regrade(ctx, run.N, func(*verbatim.Item, string, verbatim.Finish) (verbatim.Grade, error) {
			return g.Draw(t, "second grade"), nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	if rapid.Bool().Draw(t, "end") {
		if _, err := s.End(ctx, run.N, 0, time.Unix(1900000000, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if verdict := storetest.Unicode().Draw(t, "verdict"); run.Test != nil && verdict != "" {
		if err := s.CloseTest(ctx, run.N, verdict, storetest.Unicode().Draw(t, "state"), storetest.Instants().Draw(t, "closed")); err != nil {
			t.Fatal(err)
		}
	}
	return len(recs)
}

func exported(t *rapid.T, s *Store, runs []int64) string {
	var b bytes.Buffer
	if err := s.Export(ctx, &b, runs...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func keepAll(t *rapid.T, s *Store, run int64, recs []verbatim.Record) {
	w, err := s.Write(ctx, nil, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if err := w.Put(ctx, run, rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// sample makes a file with one run of every kind of record.
func sample(t *testing.T) (*Store, verbatim.Run) {
	s := newStore(t)
	run := newRun(t, s, "sim:careful", "abcdef0123456789")
	broken := storetest.Typical(1)
	broken.Reply.Text = "half a character: \xc3"
	other := storetest.Typical(2)
	cost, most := verbatim.Money(123_456_789), verbatim.Money(1)
	other.Reply.Sent, other.Reply.Applied = fmt.Sprintf(`{"model":"m","max_tokens":%d}`, other.MaxTokens), `{"temperature":0}`
	other.Reply.Cost, other.Reply.Claimed = &cost, new(verbatim.Money(7))
	other.Prompt = verbatim.Prompt{{Role: "system", Content: []verbatim.Part{{Text: "Be brief."}}}, other.Prompt[0]}
	trial := storetest.Typical(2)
	trial.Seq, trial.Trial, trial.Prompt = 4, 1, other.Prompt
	score := storetest.Typical(5)
	score.Reply, score.Prompt = nil, nil
	image := storetest.Typical(6)
	it := *image.Item
	it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "what?"}, {Image: &verbatim.Image{Media: "image/png", Bytes: []byte("\x89PNG")}}}}}
	image.Item, image.Prompt = &it, it.Prompt
	fault := storetest.Failed(3, verbatim.Errored, 1, 2)
	fault.Failure.Attempts[1].Cost = &most
	image.Reply.Batch = "batch_1"
	keep(t, s, run.N, storetest.Typical(0), broken, other, fault, trial, score, image)
	_, err := s.Regrade(ctx, run.N, version("2", verbatim.Wrong), nil)
	must(t, err)
	return s, run
}

// TestFormatIsPinned holds the lines to the file that readers of the format
// have: change it together with docs/format-runs.md and the version in Format.
func TestFormatIsPinned(t *testing.T) {
	s := newStore(t)
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, err := addRun(ctx, c, 0, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef0123456789", Suite: "custom", Seed: 1, Edition: verbatim.Standard, Trials: 1, Count: 8},
			Model: "sim:careful", Started: time.Unix(1700000000, 0), Tool: "test",
			Price: &verbatim.Price{Input: 2 * verbatim.Dollar, Output: 8 * verbatim.Dollar, Source: "test", AsOf: "2026-09-23"},
			Test:  &verbatim.Test{Kind: "check", Baseline: "sim-careful-abcdef-9", Settings: map[string]string{"margin": "0.02", "alpha": "0.05"}}}, "0123456789abcdef0123456789abcdef")
		if err != nil {
			return err
		}
		for i, b := range []Batch{{Phase: collected, ID: "batch_1", Raw: "completed", Positions: []int64{6}}, {Phase: Intended, Positions: []int64{7, 8, 9, 11}}} {
			b.Run, b.Key, b.Intended = 1, fmt.Sprintf("key-%d", i+1), time.Unix(1700000000, int64(i))
			if err := b.Insert(c); err != nil {
				return err
			}
		}
		return nil
	}))
	from, run := sample(t)
	keep(t, s, 1, all(t, from, run.N, whole)...)
	_, err := s.Regrade(ctx, 1, version("3", verbatim.Wrapped), nil)
	must(t, err)
	must(t, s.CloseTest(ctx, 1, "pass", "", time.Unix(1700000100, 0)))
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		return newInserter(c).chargeAttempts(positionKey(1, 9), []verbatim.Attempt{{N: 1, Start: time.Unix(1700000000, 9), Class: verbatim.Transport, Err: "the program ended", Cost: new(verbatim.Money(5e9))}})
	}))
	got := export(t, s)
	const golden = "testdata/export.jsonl"
	if os.Getenv("VERBATIM_UPDATE") != "" {
		must(t, os.MkdirAll("testdata", 0o777))
		must(t, os.WriteFile(golden, []byte(got), 0o666))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if got != string(want) {
		t.Errorf("the lines differ from %s; VERBATIM_UPDATE=1 writes it again:\n%s", golden, got)
	}
}
