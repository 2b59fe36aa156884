package store

import (
	"cmp"
	"context"
	"slices"

	"verbatim/internal/bitset"
	"verbatim/internal/listsort"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// Positions says of a run which positions of the plan have an answer, and how often
// the others have been tried. It takes a bit for each position up to the last one
// that is saved, two words for each position that was tried in vain, and one for each that is
// out in a batch.
type Positions struct {
	answered bitset.Set
	tried    []tried // by position
	out      []int64 // rising
}

type tried struct{ seq, n int64 }

// Answered reports whether the position has an answer: it is not asked again.
func (p *Positions) Answered(seq int64) bool {
	return p.answered.Has(seq)
}

// Pending reports whether the position is out in a batch: its answer is still to come,
// so it is not asked again, unless that batch is given up. A position that has an
// answer is not out, even where the rest of its batch is.
func (p *Positions) Pending(seq int64) bool {
	_, out := slices.BinarySearch(p.out, seq)
	return out && !p.Answered(seq)
}

// Attempts is the highest number that an attempt at a position without an answer
// has: the next one is Tries + 1. It is 0 where none was made.
func (p *Positions) Attempts(seq int64) int {
	i, ok := slices.BinarySearchFunc(p.tried, seq, func(t tried, seq int64) int { return int(t.seq - seq) })
	if !ok {
		return 0
	}
	return int(p.tried[i].n)
}

// Positions reads which positions of the run are saved.
func (s *Store) Positions(ctx context.Context, run int64) (*Positions, error) {
	p := &Positions{}
	err := s.file.View(func(c *sqlite.Conn) error {
		batches, err := rows.ReadBatches(ctx, c, run)
		if err != nil {
			return err
		}
		for _, b := range batches {
			if b.Pending() {
				p.out = append(p.out, b.Positions...)
			}
		}
		slices.Sort(p.out)
		first, last := rows.Span(run)
		var n int64
		err = c.QueryEach(ctx, func(r *sqlite.Rows) {
			n++
			seq, outcome, attempts := rows.SequenceOf(r.Int()), rows.Decode(rows.Outcomes, r.Int()), r.Int()
			if outcome.Answered() {
				p.answered.Add(seq)
			} else if attempts > 0 {
				p.tried = append(p.tried, tried{seq, attempts})
			}
		}, `SELECT place, outcome, CASE WHEN grader IS NULL THEN (SELECT max(n) FROM attempt a WHERE a.place = reply.place) END
			FROM reply WHERE place BETWEEN ? AND ? ORDER BY place`, first, last)
		if err == nil {
			err = rows.CheckComplete(ctx, c, run, n) // a position that is lost would be paid for again
		}
		if err != nil {
			return err
		}
		err = c.QueryEach(ctx, func(r *sqlite.Rows) { p.tried = append(p.tried, tried{rows.SequenceOf(r.Int()), r.Int()}) }, rows.SelectAttemptsOnly, first, last)
		listsort.Stable(p.tried, func(a, b tried) int { return cmp.Compare(a.seq, b.seq) })
		return err
	})
	return p, err
}
