package sequential

import (
	"fmt"
	"slices"

	"verbatim/internal/stats"
)

// A controlVariate holds the baseline's scores a of all items of a finite benchmark, known
// before the first difference d. Bets are placed on
//
//	d + c (a - ā)
//
// where ā is the mean of the unseen scores, so that the added part has expectation 0. c,
// from 0 to 1, is the regression coefficient from the differences seen before (difference
// estimator of survey sampling: Cochran 1977, Sampling Techniques, 3rd ed., chapter 7). If
// the baseline was lucky with an item, the difference looks bad; this removes the luck. It
// removes all of it if answers are random, and nothing if the scores carry no information.
// The result stays in [-1, 1]: with b the other score it is b - ((1-c) a + c ā).
type controlVariate struct {
	scores []float64
	seen   int
	unseen float64 // sum of the unseen scores

	// Of the items seen: means, and sums of squares and products about them (Welford
	// 1962, Technometrics 4:419–420).
	meanScore, meanDiff, squares, products float64
}

// priorVariation is added to the sum of squares of the scores: as much as one item with
// score 0 and one with score 1 have. It keeps c from extreme values after the first few
// items.
const priorVariation = 0.5

// newControlVariate rejects a score that is not between 0 and 1, with a *BadValue.
func newControlVariate(scores []float64) (*controlVariate, error) {
	c := &controlVariate{scores: slices.Clone(scores)}
	for i, a := range scores {
		if !(a >= 0 && a <= 1) {
			return nil, &stats.BadValue{Index: i, Value: a, Why: "is not a score between 0 and 1"}
		}
		c.unseen += a
	}
	return c, nil
}

// check rejects a difference from the baseline's score to a score outside [0, 1], with a
// *BadValue. position is that of the block's first item.
func (c *controlVariate) check(block []float64, position int) error {
	for i, d := range block {
		if b := c.scores[position+i] + d; b < -tolerance || b > 1+tolerance {
			return &stats.BadValue{Index: i, Value: d, Why: fmt.Sprintf("is not a difference of two scores whose first is %v", c.scores[position+i])}
		}
	}
	return nil
}

// adjust appends the adjusted values of the next block, and then updates the regression.
func (c *controlVariate) adjust(adjusted, block []float64) []float64 {
	mean := c.unseen / float64(len(c.scores)-c.seen)
	share := min(max(-c.products/(c.squares+priorVariation), 0), 1)
	for i, d := range block {
		x := d + share*(c.scores[c.seen+i]-mean)
		adjusted = append(adjusted, min(max(x, -1), 1)) // against rounding
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
	c.unseen = max(c.unseen, 0) // against rounding
	return adjusted
}

// without returns a new control variate for the items except some at a position.
func (c *controlVariate) without(position, items int) *controlVariate {
	left := &controlVariate{scores: slices.Concat(c.scores[:position], c.scores[position+items:])}
	for _, a := range left.scores {
		left.unseen += a
	}
	return left
}
