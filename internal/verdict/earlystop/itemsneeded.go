package earlystop

import "verbatim/internal/stats/sequential"

// maxItemsNeeded bounds the search: no baseline has so many items.
const maxItemsNeeded = 100_000

// itemsNeeded returns the number of further items that would give a verdict if the
// differences seen so far were repeated. It is nil with a verdict, or if maxItemsNeeded
// would not be enough.
func (t *Test) itemsNeeded() (*int, error) {
	s := &t.counts
	if s.verdict != sequential.Undecided || s.pairs == 0 {
		return nil, nil
	}
	if t.Scope == Benchmark { // decided once all items are sent
		n := t.completeBlocks(t.decided/t.baseline.block) * t.baseline.block
		if n == 0 { // no item is left
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
			return new(max(n+1-s.pairs, 1)), nil
		}
	}
	return nil, nil
}
