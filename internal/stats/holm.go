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
	adjusted := make([]float64, len(p))
	order := make([]int, len(p))
	for i, x := range p {
		order[i] = i
		adjusted[i] = 1
		if x < 1 {
			adjusted[i] = max(x, 0)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(adjusted[i], adjusted[j]) })
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(p)-rank)*adjusted[i]))
		adjusted[i] = least
	}
	return adjusted
}

// WeightedHolm returns adjusted p values by Holm's method with weights, all above 0 (Holm 1979). A
// hypothesis whose p value is at most alpha times its share of all weights is rejected in the first
// step, whatever the others are. Equal weights give Holm.
func WeightedHolm(p, weights []float64) []float64 {
	adjusted, order := make([]float64, len(p)), make([]int, len(p))
	left := 0.0
	for i := range p {
		order[i] = i
		left += weights[i]
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i]/weights[i], p[j]/weights[j]) })
	least := 0.0
	for _, i := range order {
		least = max(least, min(1, max(0, p[i])*left/weights[i]))
		adjusted[i] = least
		left -= weights[i]
	}
	return adjusted
}
