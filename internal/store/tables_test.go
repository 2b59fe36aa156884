package store

import (
	"context"
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"

	"verbatim/internal/store/storetest"
)

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
