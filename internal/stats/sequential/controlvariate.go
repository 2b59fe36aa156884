package sequential

import (
	"fmt"
	"math"
	"slices"

	"verbatim/internal/stats"
)

// A controlVariate is the baseline's scores a of all items of a finite benchmark, known
// before the first difference d is. Bets are then placed on
//
//	d + c (a - ā)
//
// with ā the mean of the unseen scores, so that the added part is expected to be 0,
// and c, from 0 to 1, found by regression on the differences before (as in the
// difference estimator of survey sampling: Cochran 1977, Sampling Techniques, 3rd
// ed., chapter 7). A baseline that had luck with an item makes the difference look
// bad; this takes the luck out, all of it where answers are random, and nothing
// where the scores tell nothing. It does not leave [-1, 1]: with b the other score
// it is b - ((1-c) a + c ā).
type controlVariate struct {
	scores []float64
	seen   int
	unseen float64 // sum of the scores from seen on

	// Of what was seen: means, squares and products about them (Welford 1962,
	// Technometrics 4:419–420).
	meanScore, meanDiff, squares, products float64
}

// prior is how much variation of scores is taken for granted, without a relation to
// the differences: half of what one item at either end would show. It keeps the
// first few items from an extreme c.
const prior = 0.5

// newControlVariate refuses, as a *BadValue, a score that is not between 0 and 1.
func newControlVariate(scores []float64) (*controlVariate, error) {
	c := &controlVariate{scores: slices.Clone(scores)}
	for i, a := range scores {
		if !(a >= 0 && a <= 1) {
			return nil, &stats.BadValue{Index: i, Value: a, Why: "is no score between 0 and 1"}
		}
		c.unseen += a
	}
	return c, nil
}

// fits refuses, as a *BadValue, a difference from the baseline's score to none
// between 0 and 1; the block's first item has that place.
func (c *controlVariate) fits(block []float64, place int) error {
	for i, d := range block {
		if b := c.scores[place+i] + d; b < -hair || b > 1+hair {
			return &stats.BadValue{Index: i, Value: d, Why: fmt.Sprintf("is no difference of two scores whose first is %v", c.scores[place+i])}
		}
	}
	return nil
}

// play appends what is bet on for the next block, and learns from it.
func (c *controlVariate) play(played, block []float64) []float64 {
	mean := c.unseen / float64(len(c.scores)-c.seen)
	share := min(max(-c.products/(c.squares+prior), 0), 1)
	for i, d := range block {
		x := d + share*(c.scores[c.seen+i]-mean)
		played = append(played, min(max(x, -1), 1)) // rounding could leave the range
	}
	for _, d := range block {
		a := c.scores[c.seen]
		c.seen++
		n := float64(c.seen)
		away := a - c.meanScore
		c.meanScore += away / n
		c.meanDiff += (d - c.meanDiff) / n
		c.squares += away * (a - c.meanScore)
		c.products += away * (d - c.meanDiff)
		c.unseen -= a
	}
	c.unseen = math.Max(c.unseen, 0)
	return played
}

// without returns a controlVariate that has seen nothing, of the items but some at a place.
func (c *controlVariate) without(place, items int) *controlVariate {
	left := &controlVariate{scores: slices.Concat(c.scores[:place], c.scores[place+items:])}
	for _, a := range left.scores {
		left.unseen += a
	}
	return left
}
