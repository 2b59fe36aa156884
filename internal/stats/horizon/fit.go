package horizon

import (
	"fmt"
	"math"

	"verbatim/internal/stats"
)

// Counts are the answers at one length: Right of N were right.
type Counts struct {
	Length   int // at least 1
	Right, N int64
}

// An Estimate is the 50 % horizon: the length at which the share of right answers falls to
// one half. A length of 0 means that it is above one half at no length.
type Estimate struct {
	L50      float64        // median of the posterior; of FitTasks, from the pooled counts
	Interval stats.Interval // 95 %, in lengths
	Above    float64        // P(L50 ≥ Longest)
	Below    float64        // P(L50 < Shortest), Never included
	Never    float64        // P(the share is above one half at no length)
	Shortest int            // of the lengths with answers
	Longest  int
}

// IsNever reports whether the share is probably above one half at no length: rather than only
// at lengths below the shortest, of which the answers tell nothing.
func (l Estimate) IsNever() bool { return l.Never > 0.5 && l.Never > 2*(l.Below-l.Never) }

// NeverText is the text of a horizon that does not exist.
const NeverText = "none"

// String formats the horizon for a reader: "64", with one decimal below ten. It is "none" if
// the share is probably above one half at no length. It is "> 256"
// if the horizon and more than half of its probability are above the longest length, and
// "< 2" if they are below the shortest.
func (l Estimate) String() string {
	switch {
	case l.IsNever():
		return NeverText
	case l.Above > 0.5 && l.L50 > float64(l.Longest):
		return fmt.Sprintf("> %d", l.Longest)
	case l.Below > 0.5 && l.L50 < float64(l.Shortest):
		return fmt.Sprintf("< %d", l.Shortest)
	case l.L50 < 9.95:
		return fmt.Sprintf("%.1f", l.L50)
	}
	return fmt.Sprintf("%.0f", l.L50)
}

// Fit estimates the horizon from counts of right answers. Answers are assumed to be
// independent given their length. The curve is logistic in the logarithm of the length,
// with a lapse rate and a small floor of lucky guesses (Wichmann and Hill 2001, Perception &
// Psychophysics 63:1293–1313):
//
//	P(right | L) = (1-lapse) (floor + (1-floor) / (1 + exp(-k (θ - log2 L))))
//
// The horizon is where this probability is one half, lapses included. A curve with a
// lapse rate of one half or more has no horizon. The posterior is summed over a fixed grid: θ uniform from
// two doublings below the shortest length to three above the longest, in steps of 0.05;
// slopes from 0.35 to steps, lapse rates up to 1, floors of 0 and 0.05 (see defaultPrior).
// There is no optimiser, so every set of counts has an answer: all right, all wrong, or
// perfectly separated. The resolution is 0.05 doublings.
//
// The interval holds the horizon in at least 93 % of simulated cases for lapse rates from 0
// to 0.9 and slopes from 0.5 to steps, wherever a step is between two lengths. For that its
// ends are wider than 95 % of the posterior in two cases; see Posterior.Estimate.
//
// Use a Model to fit many counts at the same lengths. Lengths may come in any order and
// more than once. A length without answers is ignored. Invalid counts give a *BadValue
// with their index: a length below 1, or a number of right answers outside 0 to N. Without
// answers the error is ErrNoData.
func Fit(counts []Counts) (*Estimate, error) {
	f, err := FitCounts(counts)
	if err != nil {
		return nil, err
	}
	l := f.Estimate()
	return &l, nil
}

// FitCounts is Fit, and returns the whole posterior.
func FitCounts(counts []Counts) (*Posterior, error) {
	shortest, longest, answers := math.MaxInt, 0, int64(0)
	for i, c := range counts {
		if err := c.check(i); err != nil {
			return nil, err
		}
		if c.N > 0 {
			shortest, longest = min(shortest, c.Length), max(longest, c.Length)
			answers = min(answers+c.N, fewAnswers)
		}
	}
	if answers == 0 {
		return nil, stats.ErrNoData
	}
	return fitCounts(counts, shortest, longest, answers < fewAnswers)
}

// fewAnswers is the number of answers up to which probabilities are multiplied: their
// product stays far above the smallest float64.
const fewAnswers = 500

// fitCounts fits a few answers by products, and many by logarithms, which are slower.
func fitCounts(counts []Counts, shortest, longest int, few bool) (*Posterior, error) {
	if !few {
		m, err := NewModel(counts)
		if err != nil {
			return nil, err
		}
		return m.Fit(counts)
	}
	f, err := NewPosterior(shortest, longest)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		if c.N > 0 {
			f.addCounts(c)
		}
	}
	return f, nil
}

// check rejects invalid counts.
func (c Counts) check(i int) error {
	switch {
	case c.Length < 1:
		return &stats.BadValue{Index: i, Value: float64(c.Length), Why: "is not a length: it must be at least 1"}
	case c.N < 0:
		return &stats.BadValue{Index: i, Value: float64(c.N), Why: "is not a number of answers"}
	case c.Right < 0 || c.Right > c.N:
		return &stats.BadValue{Index: i, Value: float64(c.Right), Why: fmt.Sprintf("is not a number of right answers out of %d", c.N)}
	}
	return nil
}

// log2Length is the scale on which lengths are compared: doublings.
func log2Length(length int) float64 { return math.Log2(float64(length)) }
