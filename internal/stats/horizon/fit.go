package horizon

import (
	"math"
	"slices"

	"verbatim/internal/stats"
)

// Fit returns the posterior of the horizon, given counts of right answers. Answers are
// assumed to be independent given their length. The curve is logistic in the logarithm of the length,
// with a lapse rate and a small floor of lucky guesses (Wichmann and Hill 2001, Perception &
// Psychophysics 63:1293–1313):
//
//	P(right | L) = (1-lapse) (floor + (1-floor) / (1 + exp(-k (θ - log2 L))))
//
// The horizon is where this probability is one half, lapses included. A curve with a lapse
// rate of one half or more has no horizon. The posterior is summed over a fixed grid: θ
// uniform from two doublings below the shortest length to three above the longest, in steps
// of 0.05; slopes from 0.35 to steps, lapse rates up to 1, floors of 0 and 0.05 (see
// defaultPrior). There is no optimiser, so every set of counts has a result: all right, all
// wrong, or perfectly separated. The resolution is 0.05 doublings.
//
// The interval of Posterior.Estimate holds the horizon in at least 93 % of simulated cases for lapse rates from 0
// to 0.9 and slopes from 0.5 to steps, wherever a step is between two lengths. For that it
// is wider than 95 % of the posterior in two cases; see openTail and lowEnd.
//
// Use a Model to fit many counts at the same lengths. Lengths may come in any order and
// more than once. A length without answers is ignored. Invalid counts give a *BadValue
// with their index: a length below 1, or a number of right answers outside 0 to N. Without
// answers the error is ErrNoData.
func Fit(counts []Counts) (*Posterior, error) {
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
	switch answers {
	case 0:
		return nil, stats.ErrNoData
	case fewAnswers: // or more
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

// fewAnswers is the number of answers below which Fit multiplies probabilities: their product
// stays far above the smallest float64. More answers need logarithms, which are slower.
const fewAnswers = 500

// Fit returns the posterior of counts, whose lengths must be lengths of the model. It
// rejects the same counts as Fit.
func (m *Model) Fit(counts []Counts) (*Posterior, error) {
	t, answers := m.tally(), int64(0)
	for i, c := range counts {
		if err := c.check(i); err != nil {
			return nil, err
		}
		if c.N == 0 {
			continue
		}
		l, ok := slices.BinarySearch(m.lengths, c.Length)
		if !ok {
			return nil, &stats.BadValue{Index: i, Value: float64(c.Length), Why: "is not a length of the model"}
		}
		t.add(l, c)
		answers += c.N
	}
	if answers == 0 {
		return nil, stats.ErrNoData
	}
	f := unweighted(m.grid)
	for l, n := range m.lengths {
		if t.all[l] > 0 {
			f.lengths = append(f.lengths, n)
		}
	}
	m.fill(f, t)
	return f, nil
}
