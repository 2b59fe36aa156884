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
	case d.PValue() > alpha+Rounding:
		v.Word = Inconclusive
		if s.Total().N >= FewItems {
			v.ItemsNeeded = itemsNeeded(s, d.Stratified, f.o.Rope, alpha)
		}
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
	d, err := f.o.Difference(p, s, how != Unstratified)
	d.Range, d.Stratified = RangeOf(p.Interval(f.o.Confidence)), how
	return d, s, err
}

// Difference returns a mean difference, without its interval, from differences by stratum and their
// posterior.
func (o *Options) Difference(p *stats.Posterior, s *stats.Strata, stratified bool) (Difference, error) {
	three := p.Probabilities(o.Rope)
	d := Difference{Value: s.Total().Mean, Worse: three.Worse, Equivalent: three.Equivalent, Better: three.Better, SignFlip: s.SignFlip()}
	b, err := s.Bounds(stratified)
	if err != nil {
		return d, err
	}
	low, _ := b.PValues(-o.Rope)
	_, high := b.PValues(o.Rope)
	d.Outside = max(low, high)
	return d, nil
}

// Word returns the verdict on a mean difference. It is the most probable word, or Inconclusive if its
// PValue is above 1 minus the threshold.
func (o *Options) Word(d *Difference) Word {
	if d.PValue() > 1-o.Threshold+Rounding {
		return Inconclusive
	}
	return mostProbable(d.probabilities())
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

// A Word is the verdict on a run B compared with its baseline A. The set is closed.
type Word string

// The words. Withheld: too many answers are missing for a verdict. Inconclusive: the
// evidence is not enough for a verdict.
const (
	Worse        Word = "worse"
	Equivalent   Word = "equivalent"
	Better       Word = "better"
	Inconclusive Word = "inconclusive"
	Withheld     Word = "withheld"
	// Pass is the verdict of a gate: not worse by more than the margin.
	Pass Word = "pass"
)

// Settled reports whether the word is a verdict that needs no more items.
func (w Word) Settled() bool {
	return w == Worse || w == Equivalent || w == Better || w == Pass
}

// PValue is the value that must be small for a verdict: the posterior probability that the most
// probable word is wrong. It is at least SignFlip for worse and better, and Outside for equivalent,
// which bound the probability of a wrong verdict. A posterior does not bound it if few items differ.
func (d *Difference) PValue() float64 {
	p := max(0, 1-maxProbability(d.probabilities()))
	if mostProbable(d.probabilities()) == Equivalent {
		return max(p, d.Outside)
	}
	return max(p, d.SignFlip)
}

// mostProbable is the word of the largest of the three probabilities.
func mostProbable(t stats.Probabilities) Word {
	switch {
	case t.Worse > t.Equivalent && t.Worse > t.Better:
		return Worse
	case t.Better > t.Equivalent && t.Better > t.Worse:
		return Better
	}
	return Equivalent
}

// maxProbability is the largest of the three probabilities.
func maxProbability(t stats.Probabilities) float64 { return max(t.Worse, t.Equivalent, t.Better) }

// Rounding is the tolerance of comparisons with a threshold.
const Rounding = 1e-12

// Adjust sets the verdicts of comparisons of several runs with one baseline. Holm's
// correction keeps the probability of one or more false verdicts among them at 1 minus the
// threshold. A comparison whose verdict is withheld counts with a p-value of 1.
//
// The comparisons must be made with their number in Options.Together, for ItemsNeeded.
func Adjust(list []*Comparison) {
	p := make([]float64, len(list))
	for i, c := range list {
		if p[i] = c.P; c.Word == Withheld {
			p[i] = 1
		}
	}
	for i, adjusted := range stats.Holm(p) {
		c := list[i]
		c.Adjusted, c.Together = adjusted, len(list)
		c.Verdict.adjust(adjusted, 1-c.Threshold)
	}
}

// adjust sets the words of a table's rows, with Holm's correction for their number.
func (f *comparer) adjust(rows []Row) {
	p := make([]float64, len(rows))
	for i := range rows {
		rows[i].P = rows[i].Difference.PValue()
		p[i] = rows[i].P
	}
	for i, adjusted := range stats.Holm(p) {
		rows[i].Adjusted = adjusted
		rows[i].Verdict.adjust(adjusted, 1-f.o.Threshold)
	}
}

// adjust sets the word for an adjusted p-value.
func (v *Verdict) adjust(adjusted, alpha float64) {
	switch {
	case v.Word == Withheld:
	case adjusted > alpha+Rounding:
		v.Word = Inconclusive
	default:
		v.Word, v.ItemsNeeded = mostProbable(v.Difference.probabilities()), nil
	}
}
