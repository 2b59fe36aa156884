package store

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim"

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
