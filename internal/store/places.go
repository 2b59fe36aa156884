package store

import (
	"cmp"
	"context"
	"slices"
)

// Places says of a run which places of the plan have an answer, and how often
// the others have been tried. It takes a bit for each place up to the last one
// that is kept, two words for each place that was tried in vain, and one for each that is
// out in a batch.
type Places struct {
	answered Set
	tried    []tried // by place
	out      []int64 // rising
}

type tried struct{ seq, n int64 }

// Answered reports whether the place has an answer: it is not asked again.
func (p *Places) Answered(seq int64) bool {
	return p.answered.Has(seq)
}

// Out reports whether the place is out in a batch: its answer is still to come,
// so it is not asked again, unless that batch is given up. A place that has an
// answer is not out, even where the rest of its batch is.
func (p *Places) Out(seq int64) bool {
	_, out := slices.BinarySearch(p.out, seq)
	return out && !p.Answered(seq)
}

// Tries is the highest number that an attempt at a place without an answer
// has: the next one is Tries + 1. It is 0 where none was made.
func (p *Places) Tries(seq int64) int {
	i, ok := slices.BinarySearchFunc(p.tried, seq, func(t tried, seq int64) int { return int(t.seq - seq) })
	if !ok {
		return 0
	}
	return int(p.tried[i].n)
}

// Places reads which places of the run are kept.
func (s *Store) Places(ctx context.Context, run int64) (*Places, error) {
	p := &Places{}
	err := s.view(func(c *conn) error {
		batches, err := c.batches(ctx, run)
		if err != nil {
			return err
		}
		for _, b := range batches {
			if b.Out() {
				p.out = append(p.out, b.Places...)
			}
		}
		slices.Sort(p.out)
		first, last := span(run)
		var n int64
		err = c.each(ctx, func(r *rows) {
			n++
			seq, outcome, tries := seqOf(r.int()), decode(outcomes, r.int()), r.int()
			if outcome.Answered() {
				p.answered.Add(seq)
			} else if tries > 0 {
				p.tried = append(p.tried, tried{seq, tries})
			}
		}, `SELECT place, outcome, CASE WHEN grader IS NULL THEN (SELECT max(n) FROM attempt a WHERE a.place = reply.place) END
			FROM reply WHERE place BETWEEN ? AND ? ORDER BY place`, first, last)
		if err == nil {
			err = c.whole(ctx, run, n) // a place that is lost would be paid for again
		}
		if err != nil {
			return err
		}
		err = c.each(ctx, func(r *rows) { p.tried = append(p.tried, tried{seqOf(r.int()), r.int()}) }, triedAlone, first, last)
		slices.SortFunc(p.tried, func(a, b tried) int { return cmp.Compare(a.seq, b.seq) })
		return err
	})
	return p, err
}
