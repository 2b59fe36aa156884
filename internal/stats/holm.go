package stats

import (
	"cmp"
	"slices"
)

// Holm returns the p-values of a family of hypotheses, in the given order,
// adjusted so that rejecting those at or below α rejects a true one with a chance
// of at most α, whatever the dependence among them (Holm 1979, Scandinavian
// Journal of Statistics 6:65–70). The smallest is multiplied by their number m,
// the next by m-1 and so on; none becomes smaller than one before it, or larger
// than 1.
//
// A value below 0 counts as 0 and one above 1, or NaN, as 1: what was not tested
// is not rejected, and still belongs to the family.
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
