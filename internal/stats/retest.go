package stats

import (
	"fmt"
)

// A Retest describes how much repeated answers of one endpoint to the same item vary.
type Retest struct {
	Items int64 // items with repeats

	// Variances of a single score: within an item, between items, and their sum.
	// Between is 0 if its estimate is negative, and with one item.
	Within, Between, Total float64

	// ICC is the intraclass correlation 1 - Within/Total, the share of the variance
	// that is between items; nil with one item or without variance.
	ICC *float64

	Flips        int64    // items with both right and wrong answers
	FlipRate     float64  // their share
	FlipInterval Interval // of the flip rate (Wilson)
}

// A RetestSum collects repeated answers, item by item, in constant memory. The zero value
// is ready.
type RetestSum struct {
	items, flips   int64
	squares, free  float64 // within items: sum of squares and degrees of freedom
	mean, between  float64 // of the item means: running mean and sum of squares
	inverseRepeats float64 // sum of 1/r over the items
}

// Add takes in the repeated answers to one item: their scores, and whether each was right.
// It rejects a score that is not finite, fewer than two answers, and slices of different
// lengths.
func (r *RetestSum) Add(scores []float64, right []bool) error {
	if len(scores) != len(right) {
		return &BadValue{-1, float64(len(scores)), fmt.Sprintf("scores were given for %d answers", len(right))}
	}
	if len(scores) < 2 {
		return &BadValue{-1, float64(len(scores)), "answers to an item were given: at least 2 are needed"}
	}
	// Running means avoid cancellation (Welford 1962, Technometrics 4:419–420).
	mean, squares, flipped := 0.0, 0.0, false
	for i, x := range scores {
		if !finite(x) {
			return &BadValue{i, x, "is not a finite score"}
		}
		step := x - mean
		mean += step / float64(i+1)
		squares += step * (x - mean)
		flipped = flipped || right[i] != right[0]
	}
	r.items++
	if flipped {
		r.flips++
	}
	r.squares += squares
	r.free += float64(len(scores) - 1)
	r.inverseRepeats += 1 / float64(len(scores))
	step := mean - r.mean
	r.mean += step / float64(r.items)
	r.between += step * (mean - r.mean)
	return nil
}

// Retest returns the variance components by one-way analysis of variance (Shrout and
// Fleiss 1979, Psychological Bulletin 86:420–428, case 1). Within is the pooled variance
// of repeats. Between is the variance of the item means minus within times the mean of
// 1/r, with r the number of repeats of an item. confidence is that of the flip rate's
// interval. Without an item it returns ErrNoData.
func (r *RetestSum) Retest(confidence float64) (Retest, error) {
	if r.items == 0 {
		return Retest{}, ErrNoData
	}
	if !(confidence > 0 && confidence < 1) {
		return Retest{}, &BadValue{-1, confidence, "is not a confidence between 0 and 1"}
	}
	n := float64(r.items)
	t := Retest{Items: r.items, Within: r.squares / r.free, Flips: r.flips, FlipRate: float64(r.flips) / n}
	if r.items > 1 {
		t.Between = max(0, r.between/(n-1)-t.Within*r.inverseRepeats/n)
	}
	t.Total = t.Within + t.Between
	if r.items > 1 && t.Total > 0 {
		icc := t.Between / t.Total
		t.ICC = &icc
	}
	t.FlipInterval.Low, t.FlipInterval.High = Wilson(int(r.flips), int(r.items), confidence)
	return t, nil
}

// PassAtK estimates, from an item with right of n answers right, the probability that at
// least one of k answers is right: 1 − C(n−right, k)/C(n, k). It is unbiased (Chen et al.
// 2021, arXiv:2107.03374). k must be from 1 to n, and right from 0 to n.
func PassAtK(right, n, k int64) float64 { return 1 - AllAtK(n-right, n, k) }

// AllAtK estimates the probability that all of k answers are right: C(right, k)/C(n, k). It
// is unbiased. Its arguments have the same bounds as those of PassAtK.
func AllAtK(right, n, k int64) float64 {
	p := 1.0
	for i := range k { // draw right answers one after the other, without replacement
		p *= float64(max(right-i, 0)) / float64(n-i)
	}
	return p
}
