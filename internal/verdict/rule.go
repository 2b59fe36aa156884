package verdict

import (
	"fmt"

	"verbatim/internal/stats"
)

// judge computes the verdict of a group. alpha is its maximum error probability, and the
// one that ItemsNeeded is for.
func (f *comparer) judge(b *group, alpha float64) (Verdict, error) {
	d, s, err := f.difference(&b.strata)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Word: mostProbable(d.probabilities()), Why: f.withheld(b), Difference: d}
	switch {
	case len(v.Why) > 0:
		v.Word = Withheld
	case d.pValue() > alpha+Rounding:
		v.Word, v.ItemsNeeded = Inconclusive, itemsNeeded(s, d.Stratified, f.o.Rope, alpha)
	}
	return v, nil
}

// difference computes a Difference, and returns the strata that it uses.
func (f *comparer) difference(of *stats.Strata) (Difference, *stats.Strata, error) {
	p, how, s, err := StratifiedPosterior(of, f.grid)
	if err != nil {
		return Difference{}, nil, err
	}
	three, span := p.Probabilities(f.o.Rope), p.Interval(f.o.Confidence)
	return Difference{
		Value: s.Total().Mean, Range: RangeOf(span),
		Worse: three.Worse, Equivalent: three.Equivalent, Better: three.Better, SignFlip: s.SignFlip(), Stratified: how,
	}, s, nil
}

// Word returns the verdict for the three probabilities of a mean difference and the p-value
// of its sign-flip test: the most probable word, or Inconclusive if its PValue is above 1
// minus the threshold.
func (o *Options) Word(t stats.Probabilities, signFlip float64) Word {
	if PValue(t, signFlip) > 1-o.Threshold+Rounding {
		return Inconclusive
	}
	return mostProbable(t)
}

// withheld returns the reasons to give no verdict: missing answers may be missing because
// of what they would have been.
func (f *comparer) withheld(b *group) []string {
	var why []string
	if share := b.unansweredShare(); share > f.o.MaxUnanswered+Rounding {
		why = append(why, fmt.Sprintf("%.1f %% of the pairs lack an answer; at most %g %% are allowed", 100*share, 100*f.o.MaxUnanswered))
	}
	if gap := b.truncationGap(); max(gap, -gap) > f.o.MaxTruncatedGap+Rounding {
		side, other := "B", "A"
		if gap < 0 {
			side, other, gap = "A", "B", -gap
		}
		why = append(why, fmt.Sprintf("the token limit truncated %.1f points more of %s's answers than of %s's; at most %g points are allowed", 100*gap, side, other, 100*f.o.MaxTruncatedGap))
	}
	return why
}
