package verdict

import "verbatim/internal/stats/sequential"

// mostNeeded bounds the search of needed: no baseline has so many items.
const mostNeeded = 100_000

// needed returns how many more items would bring the verdict of an undecided test,
// if their differences were those seen so far over and over; nil where it has one,
// or where even mostNeeded would not.
func (t *Test) needed() (*int, error) {
	s := &t.tally
	if s.verdict != sequential.Undecided || s.pairs == 0 {
		return nil, nil
	}
	if t.Scope == Benchmark { // which is decided once all are asked
		n := t.wholeBlocks(t.fed/t.base.block) * t.base.block
		if n == 0 { // nothing is left of it
			return nil, nil
		}
		return &n, nil
	}
	r, err := t.made(0)
	if err != nil {
		return nil, err
	}
	for n := range mostNeeded {
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
