package verdict

import "verbatim/internal/stats"

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
		rows[i].P = rows[i].Difference.pValue()
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
