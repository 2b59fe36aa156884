package verdict

import (
	"fmt"

	"verbatim/internal/stats"
)

// judge computes the verdict of a group. alpha is the maximum probability of an error, for
// the verdict and for ItemsNeeded.
func (f *comparer) judge(g *group, alpha float64) (Verdict, error) {
	d, s, err := f.difference(&g.strata)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Word: mostProbable(d.probabilities()), Why: f.withheld(g), Difference: d}
	switch {
	case len(v.Why) > 0:
		v.Word = Withheld
	case d.pValue() > alpha+Rounding:
		v.Word, v.ItemsNeeded = Inconclusive, itemsNeeded(s, d.Stratified, f.o.Rope, alpha)
	}
	return v, nil
}

// difference computes a Difference from differences by cell. It also returns the strata that
// it uses.
func (f *comparer) difference(cells *stats.Strata) (Difference, *stats.Strata, error) {
	p, how, s, err := StratifiedPosterior(cells, f.grid)
	if err != nil {
		return Difference{}, nil, err
	}
	three, span := p.Probabilities(f.o.Rope), p.Interval(f.o.Confidence)
	return Difference{
		Value: s.Total().Mean, Range: RangeOf(span),
		Worse: three.Worse, Equivalent: three.Equivalent, Better: three.Better, SignFlip: s.SignFlip(), Stratified: how,
	}, s, nil
}

// Word returns the verdict on a mean difference, from its three probabilities and the p-value
// of its sign-flip test. It is the most probable word, or Inconclusive if the PValue is above
// 1 minus the threshold.
func (o *Options) Word(t stats.Probabilities, signFlip float64) Word {
	if PValue(t, signFlip) > 1-o.Threshold+Rounding {
		return Inconclusive
	}
	return mostProbable(t)
}

// withheld returns the reasons to give no verdict; nil if there are none. An answer may be
// missing because of what it would have been.
func (f *comparer) withheld(g *group) []string {
	var why []string
	if share := g.unansweredShare(); share > f.o.MaxUnanswered+Rounding {
		why = append(why, fmt.Sprintf("%.1f %% of the pairs lack an answer; at most %g %% are allowed", 100*share, 100*f.o.MaxUnanswered))
	}
	if gap := g.truncationGap(); max(gap, -gap) > f.o.MaxTruncatedGap+Rounding {
		side, other := "B", "A"
		if gap < 0 {
			side, other, gap = "A", "B", -gap
		}
		why = append(why, fmt.Sprintf("the token limit truncated %.1f points more of %s's answers than of %s's; at most %g points are allowed", 100*gap, side, other, 100*f.o.MaxTruncatedGap))
	}
	return why
}
