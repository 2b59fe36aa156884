package sequential

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"verbatim/internal/stats"
)

// observations are the blocks of differences that a sequential test has seen. All values
// stay in memory (8 bytes each, and as much for a block): the interval bets on them again at
// other means, and a smaller benchmark replays them.
type observations struct {
	values []float64
	ends   []int // end of each block in values
	finite bool
	items  int // in all, in the finite form
	block  int // size of every block in the finite form; 0 before the first
	sum    float64

	control  *controlVariate // nil without known baseline scores
	adjusted []float64       // values to bet on: values, or values with the control variate
}

// newObservations takes the number of items, 0 for a population without end.
func newObservations(n int) observations { return observations{finite: n > 0, items: n} }

// add takes in a block, or rejects it and changes nothing. It rejects a value that is NaN
// or outside [-1, 1]. In the finite form it also rejects more values than items, blocks of
// different sizes, a size that does not divide the number of items, and differences that
// do not fit the baseline's scores.
func (f *observations) add(block []float64) error {
	if err := checkRange(block); err != nil || len(block) == 0 {
		return err
	}
	if f.finite {
		switch {
		case len(f.values)+len(block) > f.items:
			return fmt.Errorf("sequential: %d values after %d of %d: too many", len(block), len(f.values), f.items)
		case f.block > 0 && len(block) != f.block:
			return fmt.Errorf("sequential: block of %d values after blocks of %d: all must have one size", len(block), f.block)
		case f.items%len(block) != 0:
			return fmt.Errorf("sequential: blocks of %d values do not divide %d items", len(block), f.items)
		}
	}
	if f.control != nil {
		if err := f.control.check(block, len(f.values)); err != nil {
			return err
		}
	}
	if f.finite {
		f.block = len(block)
	}
	f.values = append(f.values, block...)
	f.ends = append(f.ends, len(f.values))
	for _, v := range block {
		f.sum += v
	}
	f.adjust(block)
	return nil
}

// adjust stores the values to bet on for a block.
func (f *observations) adjust(block []float64) {
	if f.control == nil {
		f.adjusted = f.values
	} else {
		f.adjusted = f.control.adjust(f.adjusted, block)
	}
}

// setBaseline takes the baseline's score of every item.
func (f *observations) setBaseline(scores []float64) error {
	switch {
	case !f.finite:
		return errors.New("sequential: a population without end has no baseline scores")
	case len(f.values) > 0:
		return fmt.Errorf("sequential: baseline scores must be set before the first block, not after %d values", len(f.values))
	case len(scores) != f.items:
		return fmt.Errorf("sequential: %d baseline scores for %d items", len(scores), f.items)
	}
	c, err := newControlVariate(scores)
	f.control = c
	return err
}

// shrink removes the next items, which have no value, from a finite benchmark. It adjusts
// all values again, because the mean of the unseen scores was another.
func (f *observations) shrink(items int) error {
	switch {
	case !f.finite:
		return fmt.Errorf("sequential: a population without end cannot shrink by %d items", items)
	case items < 0:
		return fmt.Errorf("sequential: the number of items to remove must be 0 or more, got %d", items)
	case items > f.items-len(f.values):
		return fmt.Errorf("sequential: %d items to remove, but only %d are unseen", items, f.items-len(f.values))
	case f.block > 0 && items%f.block != 0:
		return fmt.Errorf("sequential: %d items to remove are not whole blocks of %d", items, f.block)
	}
	f.items -= items
	if f.control != nil {
		f.control = f.control.without(len(f.values), items)
		f.adjusted = nil
		start := 0
		for _, end := range f.ends {
			f.adjust(f.values[start:end])
			start = end
		}
	}
	return nil
}

// blocks returns the blocks in order, each with its adjusted values.
func (f *observations) blocks() iter.Seq2[[]float64, []float64] {
	return func(yield func(block, adjusted []float64) bool) {
		start := 0
		for _, end := range f.ends {
			if !yield(f.values[start:end], f.adjusted[start:end]) {
				return
			}
			start = end
		}
	}
}

// lastAdjusted returns the adjusted values of the block added last.
func (f *observations) lastAdjusted(block []float64) []float64 {
	return f.adjusted[len(f.adjusted)-len(block):]
}

// complete reports whether all items of a finite benchmark are seen.
func (f *observations) complete() bool { return f.finite && len(f.values) == f.items && f.items > 0 }

// mean returns the mean of the values; there must be at least one.
func (f *observations) mean() float64 { return f.sum / float64(len(f.values)) }

// interval returns the range of the means that bets have not rejected at a wealth of
// threshold. It is -1 to 1 before the first block and if bets have rejected every mean. Once
// all items are seen, it is the mean itself.
func (f *observations) interval(threshold float64) stats.Interval {
	if f.complete() {
		m := f.mean()
		return stats.Interval{Low: m, High: m}
	}
	in := stats.Interval{Low: f.lowerBound(1, threshold), High: -f.lowerBound(-1, threshold)}
	if f.finite && f.items > 0 {
		// Unseen items are between -1 and 1.
		unseen, n := float64(f.items-len(f.values)), float64(f.items)
		in.Low = max(in.Low, (f.sum-unseen)/n)
		in.High = min(in.High, (f.sum+unseen)/n)
	}
	if in.Low > in.High {
		return stats.Interval{Low: -1, High: 1}
	}
	return in
}

// lowerBound returns the largest m for which bets on sign times the values reject a mean
// of m or less at threshold; -1 without one. It bisects, because every factor of a
// wealth falls as m rises.
func (f *observations) lowerBound(sign, threshold float64) float64 {
	rejected, accepted := -1.0, 1.0 // a mean of 1 or less is always true
	if !f.rejects(rejected, sign, threshold) {
		return rejected
	}
	for accepted-rejected > 1e-9 {
		if m := (rejected + accepted) / 2; f.rejects(m, sign, threshold) {
			rejected = m
		} else {
			accepted = m
		}
	}
	return rejected
}

// rejects reports whether bets on sign times the values, against a mean of m or less, ever
// reached threshold.
func (f *observations) rejects(m, sign, threshold float64) bool {
	c := newWealth(m, f.items)
	for block, adjusted := range f.blocks() {
		c.bet(block, adjusted, sign)
		if c.max >= threshold {
			return true
		}
	}
	return false
}

// checkRange returns a *BadValue for the first x that is NaN or outside [-1, 1].
func checkRange(x []float64) error {
	for i, v := range x {
		switch {
		case math.IsNaN(v):
			return &stats.BadValue{Index: i, Value: v, Why: "is not a number"}
		case v < -1 || v > 1:
			return &stats.BadValue{Index: i, Value: v, Why: "is outside the range from -1 to 1"}
		}
	}
	return nil
}
