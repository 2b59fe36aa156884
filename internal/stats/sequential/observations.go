package sequential

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"verbatim/internal/stats"
)

// A feed is what a sequential test was fed: the values in their blocks, which it
// keeps (8 bytes a value and as much for a block), because the interval bets on
// them again at other means and a smaller benchmark plays them again.
type feed struct {
	x      []float64
	ends   []int // of each block in x
	finite bool
	items  int // of the finite form, in all
	block  int // of the finite form: the size of every block, 0 before the first
	sum    float64

	controlVariate *controlVariate // nil where nothing is known of the items in advance
	played         []float64       // what was bet on: x, or x with the controlVariate taken out
}

// newObservations is told how many items there are, 0 for a population without end.
func newObservations(n int) feed { return feed{finite: n > 0, items: n} }

// add keeps a block, or refuses it and keeps what it had: a value that is NaN or
// outside [-1, 1], more values than items, and, in the finite form, blocks that
// are not of one size which divides the number of items, or do not fit the
// baseline.
func (f *feed) add(block []float64) error {
	if err := checkRange(block); err != nil {
		return err
	}
	if f.finite && len(block) > 0 {
		switch {
		case len(f.x)+len(block) > f.items:
			return fmt.Errorf("stats: %d values after %d of %d", len(block), len(f.x), f.items)
		case f.block > 0 && len(block) != f.block:
			return fmt.Errorf("stats: a block of %d values after blocks of %d", len(block), f.block)
		case f.items%len(block) != 0:
			return fmt.Errorf("stats: blocks of %d values do not divide %d items", len(block), f.items)
		}
	}
	if len(block) == 0 {
		return nil
	}
	if f.controlVariate != nil {
		if err := f.controlVariate.fits(block, len(f.x)); err != nil {
			return err
		}
	}
	if f.finite {
		f.block = len(block)
	}
	f.x = append(f.x, block...)
	f.ends = append(f.ends, len(f.x))
	for _, v := range block {
		f.sum += v
	}
	f.play(block)
	return nil
}

// play keeps what is bet on for a block.
func (f *feed) play(block []float64) {
	if f.controlVariate == nil {
		f.played = f.x
	} else {
		f.played = f.controlVariate.play(f.played, block)
	}
}

// setBaseline takes the baseline's score of every item.
func (f *feed) setBaseline(scores []float64) error {
	switch {
	case !f.finite:
		return errors.New("stats: a baseline of a population without end")
	case len(f.x) > 0:
		return fmt.Errorf("stats: a baseline that comes after %d values", len(f.x))
	case len(scores) != f.items:
		return fmt.Errorf("stats: a baseline of %d scores for %d items", len(scores), f.items)
	}
	c, err := newControlVariate(scores)
	f.controlVariate = c
	return err
}

// shrink takes the next items, which have no value, out of a finite benchmark.
func (f *feed) shrink(items int) error {
	switch {
	case !f.finite:
		return fmt.Errorf("stats: a population without end cannot shrink by %d items", items)
	case items < 0:
		return fmt.Errorf("stats: a benchmark shrinks by %d items", items)
	case items > f.items-len(f.x):
		return fmt.Errorf("stats: %d items leave, of which only %d are unseen", items, f.items-len(f.x))
	case f.block > 0 && items%f.block != 0:
		return fmt.Errorf("stats: %d items leave a benchmark of blocks of %d", items, f.block)
	}
	f.items -= items
	if f.controlVariate != nil {
		f.controlVariate = f.controlVariate.without(len(f.x), items)
		f.played = nil
		start := 0
		for _, end := range f.ends {
			f.play(f.x[start:end])
			start = end
		}
	}
	return nil
}

// blocks returns the blocks in the order in which they came, and what was bet on.
func (f *feed) blocks() iter.Seq2[[]float64, []float64] {
	return func(yield func(block, played []float64) bool) {
		start := 0
		for _, end := range f.ends {
			if !yield(f.x[start:end], f.played[start:end]) {
				return
			}
			start = end
		}
	}
}

// last returns what was bet on for a block that was just added.
func (f *feed) last(block []float64) []float64 { return f.played[len(f.played)-len(block):] }

// complete reports whether every item of a finite benchmark was seen.
func (f *feed) complete() bool { return f.finite && len(f.x) == f.items && f.items > 0 }

// mean returns that of the values, of which there is at least one.
func (f *feed) mean() float64 { return f.sum / float64(len(f.x)) }

// interval returns the means that bets have not rejected at enough. It is -1 to 1
// before the first block, the one mean after the last of a finite benchmark, and
// -1 to 1 again where bets have rejected every mean.
func (f *feed) interval(enough float64) stats.Interval {
	if f.complete() {
		m := f.mean()
		return stats.Interval{Low: m, High: m}
	}
	in := stats.Interval{Low: f.floor(1, enough), High: -f.floor(-1, enough)}
	if f.finite && f.items > 0 {
		// The unseen items are not below -1 or above 1.
		unseen, n := float64(f.items-len(f.x)), float64(f.items)
		in.Low = max(in.Low, (f.sum-unseen)/n)
		in.High = min(in.High, (f.sum+unseen)/n)
	}
	if in.Low > in.High {
		return stats.Interval{Low: -1, High: 1}
	}
	return in
}

// floor returns the greatest m for which bets on sign times the values reject a
// mean of m or less at enough, -1 where there is none. It bisects, because each
// factor of a capital falls as m rises.
func (f *feed) floor(sign, enough float64) float64 {
	rejected, kept := -1.0, 1.0 // a mean of 1 or less is the whole truth
	if !f.rejects(rejected, sign, enough) {
		return rejected
	}
	for kept-rejected > 1e-9 {
		if m := (rejected + kept) / 2; f.rejects(m, sign, enough) {
			rejected = m
		} else {
			kept = m
		}
	}
	return rejected
}

// rejects reports whether bets on sign times the values, against a mean of m or
// less, ever came to enough.
func (f *feed) rejects(m, sign, enough float64) bool {
	c := newWealth(m, f.items)
	for block, played := range f.blocks() {
		c.bet(block, played, sign)
		if c.max >= enough {
			return true
		}
	}
	return false
}

// checkRange returns a *BadValue for the first x that is NaN or outside [-1, 1], and nil
// where there is none.
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
