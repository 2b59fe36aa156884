package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
)

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

// TestExportImportExport: what is exported, imported elsewhere and exported
// again is the same to the byte, whatever else is in either file, and importing
// it twice changes nothing.
func TestExportImportExport(t *testing.T) {
	from, to := newStore(t), newStore(t)
	n, recs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var runs, copies []int64
		for range rapid.IntRange(0, 2).Draw(t, "runs") {
			n++
			run, _, err := from.Begin(ctx, verbatim.Run{
				Plan:  verbatim.Plan{Hash: fmt.Sprintf("%06x", n), Suite: unicode().Draw(t, "suite"), Seed: rapid.Uint64().Draw(t, "seed")},
				Model: "m" + unicode().Draw(t, "model"), Tool: unicode().Draw(t, "tool"), Origin: unicode().Draw(t, "origin"), Started: time.Unix(0, rapid.Int64().Draw(t, "started")).UTC(),
				Params: verbatim.Params{Temperature: maybe(rapid.Float64Range(0, 2)).Draw(t, "temperature"), Seed: maybe(rapid.Int64()).Draw(t, "seed"), Effort: unicode().Draw(t, "effort")},
			}, true)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, run.N)
			recs += hostileKept(t, from, run)
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
				if d.New != (pass == 0) || pass == 1 && d.Kept != 0 {
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
	})
	if n < 50 || recs < 50 {
		t.Fatalf("only %d runs with %d records", n, recs)
	}
	for _, s := range []*Store{from, to} {
		wantTallies(t, s)
		must(t, s.Check(ctx))
	}
}

// hostileKept keeps hostile records in a run, some graded twice, and returns how
// many.
func hostileKept(t *rapid.T, s *Store, run verbatim.Run) int {
	recs := hostileRun(t, run.Name)
	keepAll(t, s, run.N, recs)
	if rapid.Bool().Draw(t, "regrade") {
		g := grades("text/2")
		_, err := s.Regrade(ctx, run.N, func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade {
			return g.Draw(t, "second grade")
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	if rapid.Bool().Draw(t, "end") {
		if _, err := s.End(ctx, run.N, time.Unix(1900000000, 1)); err != nil {
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
	broken := typical(1)
	broken.Reply.Text = "half a character: \xc3"
	other := typical(2)
	other.Prompt = verbatim.Prompt{{Role: "system", Content: []verbatim.Part{{Text: "Be brief."}}}, other.Prompt[0]}
	trial := typical(2)
	trial.Seq, trial.Trial, trial.Prompt = 4, 1, other.Prompt
	score := typical(5)
	score.Reply, score.Prompt = nil, nil
	image := typical(6)
	it := *image.Item
	it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "what?"}, {Image: &verbatim.Image{Media: "image/png", Bytes: []byte("\x89PNG")}}}}}
	image.Item, image.Prompt = &it, it.Prompt
	keep(t, s, run.N, typical(0), broken, other, failed(3, verbatim.Errored, 1, 2), trial, score, image)
	_, err := s.Regrade(ctx, run.N, version("2", verbatim.Wrong), nil)
	must(t, err)
	return s, run
}

func TestImportCompletes(t *testing.T) {
	s, run := sample(t)
	old := export(t, s)
	to := newStore(t)
	_, err := to.Import(ctx, strings.NewReader(old))
	must(t, err)

	// The original goes on: an answer in the place of the failure, and more.
	answer := typical(3)
	answer.Reply.Attempts[0].N = 3
	keep(t, s, run.N, answer, typical(7))
	_, err = s.Regrade(ctx, run.N, version("3", verbatim.Wrapped), nil)
	must(t, err)
	if ended, err := s.End(ctx, run.N, time.Now()); err != nil || !ended {
		t.Fatal(ended, err)
	}
	newer := export(t, s)
	done, err := to.Import(ctx, strings.NewReader(newer))
	must(t, err)
	if len(done) != 1 || done[0].New || done[0].Kept != 2 || done[0].Known != 6 || done[0].Run.Ended.IsZero() {
		t.Errorf("%+v", done)
	}
	if got := export(t, to); got != newer {
		t.Errorf("want\n%s\ngot\n%s", newer, got)
	}
	done, err = to.Import(ctx, strings.NewReader(old)) // what is older takes nothing away
	must(t, err)
	if got := export(t, to); got != newer || done[0].Kept != 0 {
		t.Errorf("%+v: want\n%s\ngot\n%s", done, newer, got)
	}
	wantTallies(t, to)
	must(t, to.Check(ctx))
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
	if len(runs) != 2 || runs[0].Tally.Kept() != 0 || runs[1].Tally.Kept() != 7 {
		t.Errorf("%+v", runs)
	}
}

func TestImportWaitsForNoOne(t *testing.T) {
	s, run := sample(t)
	text := export(t, s)
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	_, err = s.Import(ctx, strings.NewReader(text))
	if held := new(Leased); !errors.As(err, &held) {
		t.Errorf("into a run that is being written: %v", err)
	}
	must(t, w.Close())
}

// TestImportRefuses: each kind of bad line is named, and of its run nothing is
// kept, while the run before it is.
func TestImportRefuses(t *testing.T) {
	s, _ := sample(t)
	second := newRun(t, s, "second", "abcdef0123456789")
	first := typical(40) // an item that the first run does not have
	first.Seq = 0
	keep(t, s, second.N, first, failed(1, verbatim.Errored, 1))
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
		{"newer format", replace(0, "/1", "/2"), 1, "verbatim/store/2", 0},
		{"no JSON", replace(record, "{", "["), record + 1, "", 1},
		{"cut line", replace(record, "}\n", "\n"), record + 1, "", 1},
		{"two values", replace(record, "}\n", "}{}\n"), record + 1, "more than one", 1},
		{"unknown field", replace(record, `"seq"`, `"colour":1,"seq"`), record + 1, "colour", 1},
		{"says nothing", append(append([]string(nil), good[:record]...), "{}\n"), record + 1, "says 0", 1},
		{"says two things", replace(record, `{"record"`, `{"format":"verbatim/store/1","record"`), record + 1, "says 2", 1},
		{"no plan", without(1), 2, "plan", 0},
		{"no end", good[:end], end, "ends within", 1},
		{"no end, another run", without(lineWith(`{"end"`, 0)), run2, "no end line", 0},
		{"a record is missing", without(record), end, "end line says 2", 1},
		{"wrong end", replace(end, `"run":"`, `"run":"0`), end + 1, "end line says", 1},
		{"record before a run", []string{good[0], good[record]}, 2, "no run begins", 0},
		{"item changed", replace(item, "Provide", "Produce"), item + 1, "hash", 1},
		{"item missing", without(item), item + 1, "not in the lines before", 1},
		{"odd hash", replace(record, `"hash":"`, `"hash":"x`), record + 1, "hex", 1},
		{"odd want", replace(item, `"want":"`, `"want":7,"grader":"`), item + 1, "want", 1},
		{"odd message", replace(item, `"content":"`, `"content":7,"x":"`), item + 1, "content", 1},
		{"unknown outcome", replace(record, `"outcome":"pass"`, `"outcome":"odd"`), record + 1, "odd", 1},
		{"another outcome", replace(record, `"outcome":"pass"`, `"outcome":"wrong"`), record + 1, "wrong", 1},
		{"answer without grade", replace(record, `"grader":"text/1"`, `"grader":"text/9"`), record + 1, "text/9", 1},
		{"failure with grade", replace(record+2, `"outcome":"error"`, `"outcome":"pass"`), record + 3, "no grade", 1},
		{"unknown finish", replace(record, `"finish":"stop"`, `"finish":"odd"`), record + 1, "odd", 1},
		{"place below 0", replace(record, `"seq":0`, `"seq":-1`), record + 1, "-1", 1},
		{"place above all", replace(record, `"seq":0`, `"seq":4294967296`), record + 1, "4294967296", 1},
		{"seq is a text", replace(record, `"seq":0`, `"seq":"0"`), record + 1, "seq", 1},
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
			var at *LineError
			if errors.As(err, &at) != (c.line > 0) || c.line > 0 && at.Line != int64(c.line) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.says)
			}
			runs, err := to.Runs(ctx)
			must(t, err)
			if len(runs) != c.runs || len(done) != c.runs {
				t.Errorf("%d runs are there, %d reported, want %d", len(runs), len(done), c.runs)
			}
			if c.runs == 0 && count(t, to, `SELECT count(*) FROM reply`)+count(t, to, `SELECT count(*) FROM item`) != 0 {
				t.Error("something of the run was kept")
			}
			must(t, to.Check(ctx))
			wantTallies(t, to)
		})
	}
}

// TestImportTakesWhatPeopleDo: files that were joined, and empty lines.
func TestImportTakesWhatPeopleDo(t *testing.T) {
	s, run := sample(t)
	second := newRun(t, s, "second", run.Plan.Hash)
	keep(t, s, second.N, typical(0))
	joined := export(t, s, second.N) + "\n \n" + strings.TrimSuffix(export(t, s, run.N), "\n")
	to := newStore(t)
	done, err := to.Import(ctx, strings.NewReader(joined))
	must(t, err)
	if len(done) != 2 || done[0].Kept != 1 || done[1].Kept != 7 {
		t.Errorf("%+v", done)
	}
	if err := s.Export(ctx, new(bytes.Buffer), 99); err == nil {
		t.Error("a run that does not exist was exported")
	}
}

// TestFormatIsPinned holds the lines to the file that readers of the format
// have: change it together with docs/format-runs.md and the version in Format.
func TestFormatIsPinned(t *testing.T) {
	s := newStore(t)
	must(t, s.update(func(c *conn) error {
		_, err := addRun(ctx, c, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef0123456789", Suite: "custom", Seed: 1, Edition: verbatim.Standard, Trials: 1, Count: 8},
			Model: "sim:careful", Started: time.Unix(1700000000, 0), Tool: "test"}, "0123456789abcdef0123456789abcdef")
		return err
	}))
	from, run := sample(t)
	keep(t, s, 1, all(t, from, run.N, whole)...)
	_, err := s.Regrade(ctx, 1, version("3", verbatim.Wrapped), nil)
	must(t, err)
	got := export(t, s)
	const golden = "testdata/export.jsonl"
	if os.Getenv("VERBATIM_UPDATE") != "" {
		must(t, os.MkdirAll("testdata", 0o777))
		must(t, os.WriteFile(golden, []byte(got), 0o666))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if got != string(want) {
		t.Errorf("the lines differ from %s; VERBATIM_UPDATE=1 writes it anew:\n%s", golden, got)
	}
}
