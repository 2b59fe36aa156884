package store

import (
	"cmp"
	"context"
	"slices"

	"verbatim/internal/store/sqlite"
)

// Positions is the state of the positions of a run: which have an answer, how many attempts the
// others have had, and which are in a pending batch. It takes a bit for each position up to the
// last record, 16 bytes for each position with failed attempts only, and 8 for each pending one.
type Positions struct {
	answered BitSet
	tried    []tried // in the order of seq
	pending  []int64 // rising
}

// tried is the highest number n of an attempt at the position seq.
type tried struct{ seq, n int64 }

// Answered reports whether the position has an answer: it is not sent again.
func (p *Positions) Answered(seq int64) bool {
	return p.answered.Has(seq)
}

// Pending reports whether the position has no answer and is in a pending batch: it is not sent
// again unless that batch is abandoned.
func (p *Positions) Pending(seq int64) bool {
	_, pending := slices.BinarySearch(p.pending, seq)
	return pending && !p.Answered(seq)
}

// Attempts returns the highest number of an attempt at a position without an answer, 0 without
// any. The next attempt has the following number.
func (p *Positions) Attempts(seq int64) int {
	i, ok := slices.BinarySearchFunc(p.tried, seq, func(t tried, seq int64) int { return cmp.Compare(t.seq, seq) })
	if !ok {
		return 0
	}
	return int(p.tried[i].n)
}

// Positions reads the state of the positions of a run.
func (s *Store) Positions(ctx context.Context, run int64) (*Positions, error) {
	p := &Positions{}
	err := s.file.View(func(c *sqlite.Conn) error {
		batches, err := readBatches(ctx, c, run)
		if err != nil {
			return err
		}
		for _, b := range batches {
			if b.Pending() {
				p.pending = append(p.pending, b.Positions...)
			}
		}
		slices.Sort(p.pending)
		first, last := span(run)
		var n int64
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			n++
			seq, outcome, attempts := sequenceOf(r.Int()), Decode(outcomes, r.Int()), r.Int()
			if outcome.Answered() {
				p.answered.Add(seq)
			} else if attempts > 0 {
				p.tried = append(p.tried, tried{seq, attempts})
			}
		}, `SELECT place, outcome, CASE WHEN grader IS NULL THEN (SELECT max(n) FROM attempt a WHERE a.place = reply.place) END
			FROM reply WHERE place BETWEEN ? AND ? ORDER BY place`, first, last)
		if err == nil {
			err = checkComplete(ctx, c, run, n) // a lost record would be paid for again
		}
		if err != nil {
			return err
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) { p.tried = append(p.tried, tried{sequenceOf(r.Int()), r.Int()}) }, selectAttemptsOnly, first, last)
		slices.SortStableFunc(p.tried, func(a, b tried) int { return cmp.Compare(a.seq, b.seq) })
		return err
	})
	return p, err
}
