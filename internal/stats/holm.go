package stats

import (
	"cmp"
	"slices"
)

// Holm returns p-values adjusted for multiple testing, in the given order (Holm 1979,
// Scandinavian Journal of Statistics 6:65–70). Rejecting the hypotheses with an adjusted
// value of at most α keeps the family-wise error rate at α, for any dependence among the
// p-values.
//
// The smallest of m values is multiplied by m, the next by m-1 and so on. Adjusted values
// are monotone and at most 1. A value below 0 counts as 0. A value above 1 or NaN counts
// as 1: the hypothesis was not tested, but belongs to the family.
func Holm(p []float64) []float64 {
	return WeightedHolm(p, slices.Repeat([]float64{1}, len(p)))
}

// WeightedHolm is Holm with a weight above 0 for each hypothesis (Holm 1979). A hypothesis
// whose p-value is at most α times its share of all weights is rejected in the first step,
// whatever the others are.
func WeightedHolm(p, weights []float64) []float64 {
	adjusted, order := make([]float64, len(p)), make([]int, len(p))
	left := 0.0 // weight of the hypotheses not adjusted yet
	for i, x := range p {
		order[i] = i
		left += weights[i]
		adjusted[i] = 1
		if x < 1 {
			adjusted[i] = max(x, 0)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(adjusted[i]/weights[i], adjusted[j]/weights[j])
	})
	least := 0.0
	for _, i := range order {
		least = max(least, min(1, adjusted[i]*left/weights[i]))
		adjusted[i] = least
		left -= weights[i]
	}
	return adjusted
}
