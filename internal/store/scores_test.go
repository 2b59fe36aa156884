package store

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/exhaustive"

	"verbatim/internal/store/storetest"
)

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
