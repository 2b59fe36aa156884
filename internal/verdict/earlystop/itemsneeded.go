package earlystop

import "verbatim/internal/stats/sequential"

// mostNeeded bounds the search of needed: no baseline has so many items.
const maxItemsNeeded = 100_000

// needed returns how many more items would bring the verdict of an undecided test,
// if their differences were those seen so far over and over; nil where it has one,
// or where even mostNeeded would not.
func (t *Test) itemsNeeded() (*int, error) {
	s := &t.counts
	if s.verdict != sequential.Undecided || s.pairs == 0 {
		return nil, nil
	}
	if t.Scope == Benchmark { // which is decided once all are asked
		n := t.completeBlocks(t.decided/t.baseline.block) * t.baseline.block
		if n == 0 { // nothing is left of it
			return nil, nil
		}
		return &n, nil
	}
	r, err := t.newRule(0)
	if err != nil {
		return nil, err
	}
	for n := range maxItemsNeeded {
		d, err := r.Add(s.diffs[n%s.pairs : n%s.pairs+1])
		if err != nil {
			return nil, err
		}
		if d != sequential.Undecided {
			more := max(n+1-s.pairs, 1)
			return &more, nil
		}
	}
	return nil, nil
}
