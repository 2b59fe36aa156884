package store

import (
	"context"
	"iter"

	"verbatim"
)

// Pieces cuts the records of a run, of which places are planned, into at most n
// streams, as even as the plan allows, which may be read at the same time: one after
// the other they are what Records streams. Each has a view of the file of its own, so
// that of a run that is being asked a later piece may hold records that are younger
// than the end of an earlier one. From and Places of what are not looked at.
func (s *Store) Pieces(ctx context.Context, run int64, what Read, places int64, n int) []iter.Seq2[verbatim.Record, error] {
	count := max(min(int64(n), places), 1)
	var pieces []iter.Seq2[verbatim.Record, error]
	for i := range count {
		what.From = places / count * i
		what.Places = places / count
		if i == count-1 {
			what.Places = 0 // also what is kept beyond the plan
		}
		pieces = append(pieces, s.Records(ctx, run, what))
	}
	return pieces
}
