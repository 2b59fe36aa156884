package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// TestPieces: the pieces of a run are together the run, however it is cut.
func TestPieces(t *testing.T) {
	s := newStore(t)
	before, run, after := newRun(t, s, "a", "h"), newRun(t, s, "b", "h"), newRun(t, s, "c", "h")
	for _, r := range []verbatim.Run{before, after} {
		keep(t, s, r.N, storetest.Typical(0), storetest.Typical(MaxSeq))
	}
	seqs := []int64{0, 1, 2, 5, 6, 11, 30, 31, 32, MaxSeq - 1, MaxSeq}
	var recs []verbatim.Record
	for _, seq := range seqs {
		recs = append(recs, storetest.Typical(seq))
	}
	keep(t, s, run.N, recs...)
	rapid.Check(t, func(t *rapid.T) {
		edge := rapid.OneOf(rapid.Int64Range(0, 40), rapid.Int64Range(MaxSeq-2, MaxSeq+2), rapid.Just(int64(math.MaxInt64)))
		what := Read{From: edge.Draw(t, "from"), Positions: edge.Draw(t, "places")}
		var want, got []int64
		for _, seq := range seqs {
			if seq >= what.From && (what.Positions == 0 || seq-what.From < what.Positions) {
				want = append(want, seq)
			}
		}
		for rec, err := range s.Records(ctx, run.N, what) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rec.Seq)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v: positions %d, want %d", what, got, want)
		}
	})
	for _, what := range []Read{{From: -1}, {Positions: -1}, {From: math.MinInt64, Positions: 3}} {
		n := 0
		for _, err := range s.Records(ctx, run.N, what) {
			if err == nil {
				t.Errorf("%+v reads a record", what)
			}
			n++
		}
		if n != 1 {
			t.Errorf("%+v: %d errors", what, n)
		}
	}
}

// TestPiecesLeaveTheFileAlone: between two pieces others can write, and their records
// are seen.
func TestPiecesLeaveTheFileAlone(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0), storetest.Typical(1))
	got := all(t, s, run.N, Read{Positions: 1})
	keep(t, s, run.N, storetest.Typical(2))
	got = append(got, all(t, s, run.N, Read{From: 1, Positions: 2})...)
	if len(got) != 3 || got[2].Seq != 2 {
		t.Errorf("%d records", len(got))
	}
}

// scoreOf is what Read.Scores leaves of a record.
func scoreOf(rec verbatim.Record, measures bool) verbatim.Record {
	out := verbatim.Record{Seq: rec.Seq, Trial: rec.Trial, Outcome: rec.Outcome,
		Item: &verbatim.Item{ID: rec.Item.ID, Facts: rec.Item.Facts, Grader: rec.Item.Grader}}
	if rec.Grade != nil {
		g := *rec.Grade
		g.Repair, g.Flags, g.Rule, g.Span = "", nil, "", nil
		if g.Outcome != verbatim.Truncated {
			g.Detail = ""
		}
		if !measures {
			g.Measures = nil
		}
		out.Grade = &g
	}
	return out
}

// wantScores reads a run with its briefs and without, and fails unless both give the
// same. It returns the records.
func wantScores(tb rapid.TB, s *Store, run int64) []verbatim.Record {
	tb.Helper()
	read := func(what Read) (recs []verbatim.Record) {
		for rec, err := range s.Records(ctx, run, what) {
			if err != nil {
				tb.Fatal(err)
			}
			recs = append(recs, rec)
		}
		return recs
	}
	full := read(Read{Measures: true, Columns: true})
	for _, what := range []Read{{Scores: true}, {Scores: true, Columns: true}, {Scores: true, Measures: true}} {
		var want []verbatim.Record
		for _, rec := range full {
			want = append(want, scoreOf(rec, what.Measures))
		}
		if d := storetest.Diff(want, read(what)); d != "" {
			tb.Fatalf("run %d, %+v: %s", run, what, d)
		}
	}
	for _, what := range []Read{{}, {Attempts: true}} {
		got := read(what)
		what.Columns = true
		if d := storetest.Diff(read(what), got); d != "" {
			tb.Fatalf("run %d, %+v: %s", run, what, d)
		}
	}
	wantTables(tb, s, run)
	return full
}

// TestScoresAreTheRecords saves hostile records, grades some again, imports them into
// another file and reads their scores there too.
func TestScoresAreTheRecords(t *testing.T) {
	t.Parallel()
	s, to := newStore(t), newStore(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		run := rapidRun(t, s)
		hostileKept(t, s, run)
		n += len(wantScores(t, s, run.N))
		done, err := to.Import(ctx, strings.NewReader(exported(t, s, []int64{run.N})))
		if err != nil {
			t.Fatal(err)
		}
		wantScores(t, to, done[0].Run.N)
	})
	least := 30
	if testing.Short() || !exhaustive.All() {
		least = 10 // a fifth of the runs, or a quarter
	}
	if n < least {
		t.Fatalf("only %d records", n)
	}
	for _, s := range []*Store{s, to} {
		// All of them must have briefs, or half of the test shows nothing.
		if got := count(t, s, `SELECT count(*) FROM reply WHERE brief IS NULL`); got != 0 {
			t.Errorf("%d of %d records have no brief", got, n)
		}
	}
}

func TestScoresInPieces(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	for i := range int64(20) {
		keep(t, s, run.N, storetest.Typical(3*i))
	}
	for _, columns := range []bool{false, true} {
		var got []verbatim.Record
		for from := int64(0); from < 60; from += 7 {
			got = append(got, all(t, s, run.N, Read{Scores: true, Columns: columns, From: from, Positions: 7})...)
		}
		if d := storetest.Diff(all(t, s, run.N, Read{Scores: true}), got); d != "" || len(got) != 20 {
			t.Error(d)
		}
	}
}

func TestScoresRefuse(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0))
	for _, what := range []Read{{Scores: true, Texts: true}, {Scores: true, Attempts: true}} {
		for _, err := range s.Records(ctx, run.N, what) {
			if err == nil {
				t.Errorf("%+v is read", what)
			}
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	for _, columns := range []bool{false, true} {
		for _, err := range s.Records(stopped, run.N, Read{Scores: true, Columns: columns}) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("after cancelling: %v", err)
			}
		}
	}
}

// TestTwoStreams reads two runs and one of them twice, in turn and at the same
// time, while another is being written.
func TestTwoStreams(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a, b, c := newRun(t, s, "a", "h"), newRun(t, s, "b", "h"), newRun(t, s, "c", "h")
	for i := range int64(40) {
		keep(t, s, a.N, storetest.Typical(i))
		keep(t, s, b.N, storetest.Typical(i+1000))
	}
	w, err := s.Write(ctx, nil, c.N)
	must(t, err)
	for _, what := range []Read{{}, {Scores: true}, {Scores: true, Measures: true}, whole} {
		want := [2][]verbatim.Record{all(t, s, a.N, what), all(t, s, b.N, what)}
		var streams [5]func() (verbatim.Record, error, bool)
		for i := range streams {
			next, stop := iter.Pull2(s.Records(ctx, []int64{a.N, b.N}[i%2], what))
			defer stop()
			streams[i] = next
		}
		for n := range 40 {
			must(t, w.Put(ctx, c.N, storetest.Typical(int64(n))))
			for i, next := range streams {
				rec, err, ok := next()
				must(t, err)
				if d := storetest.Diff(want[i%2][n], rec); d != "" || !ok {
					t.Fatalf("stream %d: %v %s", i, ok, d)
				}
			}
		}
		c = newRun(t, s, "c", "h")
		must(t, w.Close())
		w, err = s.Write(ctx, nil, c.N)
		must(t, err)

		var group sync.WaitGroup
		for i := range 4 {
			group.Go(func() {
				n := 0
				for rec, err := range s.Records(ctx, []int64{a.N, b.N}[i%2], what) {
					if err != nil || storetest.Diff(want[i%2][n], rec) != "" {
						t.Errorf("stream %d, record %d: %v", i, n, err)
					}
					n++
				}
				if n != 40 {
					t.Errorf("stream %d has %d records", i, n)
				}
			})
		}
		group.Wait()
	}
	must(t, w.Close())
}

// tableOf copies what Read.Tables leaves of a record.
func tableOf(rec verbatim.Record) verbatim.Record {
	out := scoreOf(rec, true)
	if out.Grade != nil {
		out.Grade.Flags, out.Grade.Measures = rec.Grade.Flags, maps.Clone(rec.Grade.Measures)
		if rec.Grade.Score != nil {
			score := *rec.Grade.Score
			out.Grade.Score = &score
		}
	}
	attempts := func(list []verbatim.Attempt) (some []verbatim.Attempt) {
		for _, a := range list {
			some = append(some, verbatim.Attempt{N: a.N, Start: a.Start, Class: a.Class, Cost: a.Cost})
		}
		return some
	}
	if r := rec.Reply; r != nil {
		out.Reply = &verbatim.Reply{Finish: r.Finish, ServedModel: r.ServedModel,
			Usage: verbatim.Usage{Prompt: again(r.Usage.Prompt), Completion: again(r.Usage.Completion), Reasoning: again(r.Usage.Reasoning)},
			Times: verbatim.Times{Start: r.Times.Start, FirstContent: again(r.Times.FirstContent), Total: r.Times.Total}, Cost: again(r.Cost)}
		if r.Finish == verbatim.FinishOther {
			out.Reply.FinishRaw = r.FinishRaw
		}
		if list := r.Attempts; len(list) > 1 || len(list) == 1 && (list[0].N > 1 || list[0].Cost != nil) {
			out.Reply.Attempts = attempts(list)
			for i := range out.Reply.Attempts {
				if len(list) == 1 && inlineAttempt(r) != nil {
					out.Reply.Attempts[i].Start = r.Times.Start
				}
			}
		}
	}
	if f := rec.Failure; f != nil {
		out.Failure = &verbatim.Failure{Class: f.Class}
		if rec.Reply == nil {
			out.Failure.Attempts = attempts(f.Attempts)
		}
	}
	return out
}

func again[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// wantTables reads a run for tables, whole and in pieces, and fails unless that gives
// what its records give.
func wantTables(tb rapid.TB, s *Store, run int64) {
	tb.Helper()
	for _, what := range []Read{{}, {Columns: true}, {Measures: true}, {Measures: true, Columns: true}} {
		var want []verbatim.Record
		for rec, err := range s.Records(ctx, run, Read{Attempts: true, Measures: what.Measures}) {
			if err != nil {
				tb.Fatal(err)
			}
			want = append(want, tableOf(rec))
		}
		what.Tables = true
		for _, n := range []int{1, 2, 5} {
			var got []verbatim.Record
			for _, piece := range s.Pieces(ctx, run, what, int64(len(want)), n) {
				for rec, err := range piece {
					if err != nil {
						tb.Fatal(err)
					}
					got = append(got, tableOf(rec))
				}
			}
			if d := storetest.Diff(want, got); d != "" {
				tb.Fatalf("run %d in %d pieces, %+v: %s", run, n, what, d)
			}
		}
	}
}

// TestTables reads every kind of record: with one attempt, two and more, with flags
// that a brief holds and with others, and without an answer.
func TestTables(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	late, often, flagged := storetest.Typical(1), storetest.Typical(2), storetest.Typical(3)
	late.Reply.Attempts[0].N = 2
	cost := verbatim.Money(7)
	often.Reply.Attempts = []verbatim.Attempt{{N: 1, Start: time.Unix(1700000000, 3).UTC(), Class: verbatim.Cut, Cost: &cost}, often.Reply.Attempts[0]}
	often.Reply.Attempts[1].N = 2
	flagged.Grade.Flags = []string{"critical", "loop"}
	bare := storetest.Failed(6, verbatim.Skipped)
	bare.Failure = nil
	late.Reply.Finish, late.Reply.FinishRaw = verbatim.FinishOther, "eos_x"
	keep(t, s, run.N, storetest.Typical(0), late, often, flagged, storetest.Failed(4, verbatim.Errored, 1, 2), storetest.Failed(5, verbatim.CutOff), bare, storetest.Typical(7), flaggedAt(8))
	wantScores(t, s, run.N)
	recs := map[int64]verbatim.Record{}
	for rec, err := range s.Records(ctx, run.N, Read{Tables: true}) {
		must(t, err)
		recs[rec.Seq] = tableOf(rec)
	}
	if len(recs) != 9 || len(recs[0].Reply.Attempts) != 0 || len(recs[1].Reply.Attempts) != 1 || len(recs[2].Reply.Attempts) != 2 ||
		len(recs[3].Grade.Flags) != 2 || len(recs[4].Failure.Attempts) != 2 || recs[5].Failure.Class != verbatim.Cut || len(recs[8].Grade.Flags) != 1 {
		t.Errorf("%+v", recs)
	}
}

func flaggedAt(seq int64) verbatim.Record {
	rec := storetest.Typical(seq)
	rec.Grade.Flags, rec.Grade.Detail, rec.Grade.Outcome, rec.Outcome = []string{"critical"}, "prefix", verbatim.Truncated, verbatim.Truncated
	rec.Grade.Exact, rec.Grade.Extracted = false, false
	return rec
}

// TestTablesEnd: a reader that stops early, or whose context ends, closes what the
// stream has open.
func TestTablesEnd(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Failed(0, verbatim.Errored, 1), storetest.Typical(1), storetest.Failed(2, verbatim.Errored, 1))
	for range 5 { // more often than connections wait
		for _, err := range s.Records(ctx, run.N, Read{Tables: true}) {
			must(t, err)
			break
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	n := 0
	for _, err := range s.Records(stopped, run.N, Read{Tables: true}) {
		if n++; err == nil {
			t.Error("no error of a context that has ended")
		}
	}
	if n != 1 {
		t.Errorf("%d errors", n)
	}
	for _, what := range []Read{{Texts: true}, {Scores: true}} {
		what.Tables = true
		for _, err := range s.Records(ctx, run.N, what) {
			if err == nil {
				t.Errorf("%+v is read", what)
			}
		}
	}
	wantScores(t, s, run.N)
}

// TestLostRows removes single rows, as damage does that SQLite does not notice. Every
// reader of the whole run reports it, and Verify says what is missing.
func TestLostRows(t *testing.T) {
	exhaustive.Only(t)
	original := filepath.Join(t.TempDir(), "verbatim.db")
	filled, err := Create(ctx, original)
	must(t, err)
	run := newRun(t, filled, "m", "h")
	fillRun(t, filled, run.N, 900)
	must(t, filled.Close())
	saved, err := os.ReadFile(original)
	must(t, err)
	for _, c := range []struct {
		sql   string
		only  string // what notices it, in addition to Export and Verify; empty: all readers
		wrong string
	}{
		{`DELETE FROM reply WHERE place & 4294967295 = 700`, "", "has 900 records, and 899 can be read"},
		{`DELETE FROM item WHERE id = 500`, "texts", "1 records have no item"},
		{`DELETE FROM question WHERE item = 500`, "texts", "1 records have no question"},
		{`DELETE FROM answer WHERE place & 4294967295 = 300`, "texts", "1 replies have no text"},
		{`DELETE FROM grade WHERE place & 4294967295 = 899`, "texts measures", "1 answers have no grade"},
		{`UPDATE tally SET n = n - 1`, "", "counts of outcomes"},
		{`UPDATE question SET want = '"other"' WHERE item = 3`, "texts", "does not have its hash"},
		{`UPDATE reply SET outcome = 3 WHERE place & 4294967295 = 5`, "texts", "differs from its columns"},
		{`DELETE FROM word WHERE id = (SELECT label FROM grade LIMIT 1)`, "", "a word is missing"},
		{`INSERT INTO answer (place) VALUES (99 << 32)`, "none", "1 texts belong to no run"},
	} {
		path := filepath.Join(t.TempDir(), "verbatim.db")
		must(t, os.WriteFile(path, saved, 0o600))
		s := create(t, path)
		must(t, s.file.With(func(c1 *sqlite.Conn) error {
			_, _, err := c1.ExecOnce(c.sql)
			return err
		}))
		read := func(what Read) error {
			for _, err := range s.Records(ctx, run.N, what) {
				if err != nil {
					return err
				}
			}
			return nil
		}
		pieces := func() error {
			for _, piece := range s.Pieces(ctx, run.N, Read{Tables: true}, 900, 4) {
				for _, err := range piece {
					if err != nil {
						return err
					}
				}
			}
			return nil
		}
		_, spentErr := s.Spending(ctx, run.N)
		_, placesErr := s.Positions(ctx, run.N)
		for kind, err := range map[string]error{
			"texts": read(whole), "measures": read(Read{Scores: true, Measures: true}), "scores": read(Read{Scores: true}),
			"tables": read(Read{Tables: true}), "narrow": read(Read{Attempts: true}), "pieces": pieces(), "spent": spentErr, "places": placesErr,
		} {
			noticed := err != nil
			finds := c.only == "" && !(strings.Contains(c.sql, "word") && (kind == "spent" || kind == "places")) || strings.Contains(c.only, kind)
			if finds && !noticed {
				t.Errorf("%s: %s notice nothing", c.sql, kind)
			}
			if noticed {
				wantKind(t, err, sqlite.Corrupt)
			}
		}
		if c.wrong != "1 texts belong to no run" {
			var lines bytes.Buffer
			wantKind(t, s.Export(ctx, &lines, run.N), sqlite.Corrupt)
			if strings.Contains(lines.String(), `"end":`) {
				t.Errorf("%s: the export claims to be whole", c.sql)
			}
			if _, err := newStore(t).Import(ctx, &lines); err == nil {
				t.Errorf("%s: the export that failed is imported", c.sql)
			}
		}
		var found []string
		rest, err := s.Verify(ctx, func(v Verification) { found = append(found, v.Wrong...) })
		must(t, err)
		if all := strings.Join(append(found, rest...), "\n"); !strings.Contains(all, c.wrong) {
			t.Errorf("%s: Verify says %q, want %q", c.sql, all, c.wrong)
		}
	}
}

// TestPiecesOfAGrowingRun reads pieces of a run that grows while they are read.
func TestPiecesOfAGrowingRun(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	fillRun(t, s, run.N, 100)
	n := 0
	for i, piece := range s.Pieces(ctx, run.N, Read{Scores: true}, 400, 4) {
		for _, err := range piece {
			must(t, err)
			n++
		}
		keep(t, s, run.N, storetest.Typical(int64(100+i)), storetest.Typical(int64(300+i)))
	}
	if n < 100 {
		t.Errorf("%d records", n)
	}
	must(t, s.Export(ctx, io.Discard, run.N))
	rest, err := s.Verify(ctx, func(v Verification) {
		if len(v.Wrong) > 0 || v.Records != 108 || v.Run.Name != run.Name {
			t.Errorf("%+v", v)
		}
	})
	if err != nil || len(rest) > 0 {
		t.Error(rest, err)
	}
	for _, err := range s.Records(ctx, run.N, Read{From: 50, Positions: 5}) { // a part is no whole run
		must(t, err)
	}
	var seen verbatim.Record
	for rec, err := range s.Records(ctx, run.N, Read{Positions: 1}) {
		must(t, err)
		seen = rec
	}
	if seen.Seq != 0 {
		t.Error(seen.Seq)
	}
}
