package ranks

import (
	"math"

	"verbatim/internal/stats"
)

// A Interval is which ranks a run can have, and which runs it cannot be told apart
// from.
type Interval struct {
	Low, High int   // the best and the worst rank; 1 is the best
	Tied      []int // runs, rising
}

// A Pair is what is known of two runs: how likely the first is ahead, and how likely
// something as one-sided as what was seen is where the two are equal.
type Pair struct{ Ahead, PValue float64 }

// Compare compares two runs. The doubt is the smaller of the probabilities that one or
// the other is ahead, doubled, and never below 2^(1-m) with m the number of items on
// which the two differ: where runs are equal, each of these is as likely to favour
// one as the other, and all m favour the same with that chance (the sign test). A
// posterior alone is surer of six items than it should be.
func (j *Posterior) Compare(a, b int) (Pair, error) {
	p, err := j.Ahead(a, b)
	if err != nil {
		return Pair{}, err
	}
	return Pair{p, min(1, max(2*min(p, 1-p), math.Exp2(1-float64(j.differ(a, b)))))}, nil
}

// CompareIndependent compares two runs that answered items of their own, each with the
// posterior of its one mean: by the normal limit of their difference.
func CompareIndependent(a, b *Posterior) Pair {
	p := normalAbove(a.centre[0]-b.centre[0], math.Sqrt(a.cov[0]+b.cov[0]))
	return Pair{p, 2 * min(p, 1-p)}
}

// Intervals says what is certain of the ranks of runs. lead[a][b] is that of a and b
// for b below a; others are not looked at.
//
// Two runs can be told apart where the doubt, adjusted by Holm for the number of pairs,
// is at most 1 - confidence. A run's ranks go from one after those that are certain to
// be ahead of it to one before those that are certain to be behind (Mogstad, Romano,
// Shaikh and Wilhelm 2024, Review of Economic Studies 91:476–518). So all that is said
// of all runs holds together with the given confidence, as far as each doubt can be
// trusted, where runs are equal as well: an interval then holds every rank that they
// share. The ranks that a run has in 95 % of draws from a posterior do not: of equal
// runs, one that was lucky would seldom come last in them.
func Intervals(lead [][]Pair, confidence float64) []Interval {
	var p []float64
	for a := range lead {
		for b := range a {
			p = append(p, lead[a][b].PValue)
		}
	}
	p = stats.Holm(p)
	spans := make([]Interval, len(lead))
	for i := range spans {
		spans[i].Low, spans[i].High = 1, len(lead)
	}
	at := 0
	for a := range lead {
		for b := range a {
			adjusted := p[at]
			at++
			switch {
			case !(adjusted <= 1-confidence):
				spans[a].Tied, spans[b].Tied = append(spans[a].Tied, b), append(spans[b].Tied, a)
			case lead[a][b].Ahead > 0.5:
				spans[a].High--
				spans[b].Low++
			default:
				spans[b].High--
				spans[a].Low++
			}
		}
	}
	return spans
}
