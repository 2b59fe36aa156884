package horizon

import (
	"fmt"
	"math"

	"verbatim/internal/stats"
)

// Counts are the answers of one length: Right of N were right.
type Counts struct {
	Length   int // at least 1
	Right, N int64
}

// A Estimate is the length at which the share of right answers falls to a half.
type Estimate struct {
	L50      float64        // median of the posterior, or the pooled estimate of FitTasks
	Interval stats.Interval // 95 %, equal-tailed, in lengths
	Above    float64        // P(L50 > Longest), the point of the grid at Longest itself included
	Below    float64        // P(L50 < Shortest)
	Shortest int            // of the lengths that were asked
	Longest  int
}

// String writes the limit for a reader: "64", with one decimal below ten, "> 256"
// where it and more than half of its probability lie beyond the longest length, and
// "< 2" where they lie before the shortest.
func (l Estimate) String() string {
	switch {
	case l.Above > 0.5 && l.L50 > float64(l.Longest):
		return fmt.Sprintf("> %d", l.Longest)
	case l.Below > 0.5 && l.L50 < float64(l.Shortest):
		return fmt.Sprintf("< %d", l.Shortest)
	case l.L50 < 9.95:
		return fmt.Sprintf("%.1f", l.L50)
	}
	return fmt.Sprintf("%.0f", l.L50)
}

// Fit finds the length at which exact success falls to a half, from answers
// that are independent given their length. The curve is logistic in the logarithm
// of the length, with a share of lapses that no length escapes and no lucky guesses
// (Wichmann and Hill 2001, Perception & Psychophysics 63:1293–1313, with the guess
// rate at 0):
//
//	P(right | L) = (1-lapse) / (1 + exp(-k (θ - log2 L)))
//
// The limit is where that is one half, whatever the lapses. The posterior is summed
// over a fixed grid: θ flat from two doublings below the shortest length to three
// above the longest by steps of 0.05, k flat in its logarithm from 0.5 to 8, eleven
// lapse rates up to 0.35 with the weight (1-lapse)^9. So there is no optimiser to
// fail: counts that are all right, all wrong or split without overlap have an
// answer, and the resolution is 0.05 doublings.
//
// Many counts of the same lengths are fitted faster by one Model. Lengths may come in any order and more than once; one without answers counts for
// nothing, not even as the longest. It is a *BadValue, with the place among counts,
// if a length is below 1 or a number of right answers is below 0 or above N, and
// ErrNoData if there are no answers.
func Fit(counts []Counts) (*Estimate, error) {
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
	f, err := fitCounts(counts, shortest, longest, answers < fewAnswers)
	if err != nil {
		return nil, err
	}
	l := f.Estimate()
	return &l, nil
}

// fewAnswers is how many answers are too many to be multiplied: as far as that, the
// probability of all answers is a number well above the smallest there is.
const fewAnswers = 500

// fitCounts fits counts: a few answers by products, which are faster than the
// logarithms that many take.
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
			f.multiply(f.shares(c.Length), c.Right, c.N-c.Right)
		}
	}
	return f, nil
}

// check refuses counts that nobody can have counted.
func (c Counts) check(i int) error {
	switch {
	case c.Length < 1:
		return &stats.BadValue{Index: i, Value: float64(c.Length), Why: "is no length: the shortest is 1"}
	case c.N < 0:
		return &stats.BadValue{Index: i, Value: float64(c.N), Why: "is no number of answers"}
	case c.Right < 0 || c.Right > c.N:
		return &stats.BadValue{Index: i, Value: float64(c.Right), Why: fmt.Sprintf("is no number of right answers among %d", c.N)}
	}
	return nil
}

// doublings is the scale on which lengths are compared.
func doublings(length int) float64 { return math.Log2(float64(length)) }
