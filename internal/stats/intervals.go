package stats

import (
	"math"
)

// An Interval is the simultaneous rank interval of a run, and the runs from which it is
// indistinguishable.
type rankInterval struct {
	Low, High         int   // the best and the worst rank, from 1
	Indistinguishable []int // runs, in rising order
}

// A Pair compares two runs: the posterior probability that the first is ahead, and the
// two-sided p-value of the hypothesis that they are equal.
type RankPair struct{ Ahead, PValue float64 }

// Compare compares two runs. The p-value is twice the smaller posterior probability of
// being ahead, and at least 2^(1-m) with m the number of items on which the two differ.
// That is the smallest p-value of a two-sided sign test: if the runs are equal, each of
// these items favours either run with chance ½. A posterior alone is too certain with few
// items.
func (j *ScorePosterior) Compare(a, b int) (RankPair, error) {
	p, err := j.Ahead(a, b)
	if err != nil {
		return RankPair{}, err
	}
	items := int64(0) // on which they differ
	if high, low := max(a, b), min(a, b); high > low {
		items = j.disagreements[high*(high-1)/2+low]
	}
	return RankPair{p, min(1, max(2*min(p, 1-p), math.Exp2(1-float64(items))))}, nil
}

// CompareIndependent compares two runs that each answered items of their own. Each has a
// posterior of one mean. The method is the normal limit of the difference of the means.
func CompareIndependent(a, b *ScorePosterior) RankPair {
	p := normalAbove(a.centre[0]-b.centre[0], math.Sqrt(a.cov[0]+b.cov[0]))
	return RankPair{p, 2 * min(p, 1-p)}
}

// RankIntervals returns the simultaneous rank intervals of all runs. pairs[a][b] compares a
// and b, for b below a.
//
// Two runs are different if their p-value, adjusted for the number of pairs by Holm, is at
// most 1 - confidence; otherwise they are indistinguishable. The best rank of a run is one
// after the runs that are certainly ahead of it; the worst is one before the runs that are
// certainly behind it (Mogstad, Romano, Shaikh and Wilhelm 2024, Review of Economic
// Studies 91:476–518).
//
// Guarantee: all intervals hold their true ranks together with the given confidence, as
// far as the p-values are valid. Runs with equal means share all their ranks. The ranks of
// a run in 95 % of posterior draws do not have this guarantee: if runs are equal, a lucky
// one is seldom last in the draws.
func RankIntervals(pairs [][]RankPair, confidence float64) []rankInterval {
	var p []float64
	for a := range pairs {
		for b := range a {
			p = append(p, pairs[a][b].PValue)
		}
	}
	p = Holm(p)
	intervals := make([]rankInterval, len(pairs))
	for run := range intervals {
		intervals[run].Low, intervals[run].High = 1, len(pairs)
	}
	i := 0
	for a := range pairs {
		for b := range a {
			adjusted := p[i]
			i++
			switch {
			case !(adjusted <= 1-confidence):
				intervals[a].Indistinguishable = append(intervals[a].Indistinguishable, b)
				intervals[b].Indistinguishable = append(intervals[b].Indistinguishable, a)
			case pairs[a][b].Ahead > 0.5:
				intervals[a].High--
				intervals[b].Low++
			default:
				intervals[b].High--
				intervals[a].Low++
			}
		}
	}
	return intervals
}
