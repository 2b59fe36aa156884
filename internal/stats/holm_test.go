package stats_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

func TestHolmEdges(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{0.2}, []float64{0.2}},
		{[]float64{0.02, 0.01, 0.02}, []float64{0.04, 0.03, 0.04}},
		{[]float64{0.9, 0.6}, []float64{1, 1}},
		{[]float64{math.NaN(), 0.01}, []float64{1, 0.02}},
		{[]float64{-1, 2}, []float64{0, 1}},
	} {
		given := slices.Clone(c.p)
		got := stats.Holm(c.p)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
			t.Errorf("Holm(%v) = %v, want %v", given, got, c.want)
		}
		if len(given) > 0 && !math.IsNaN(given[0]) && !slices.Equal(c.p, given) {
			t.Errorf("Holm changed %v to %v", given, c.p)
		}
	}
}

// Rejecting what is at or below α is Holm's procedure as he states it: step from the
// smallest upwards, and stop at the first that is above α over those that are left.
func TestHolmStepsDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 0.05)), 1, 12).Draw(t, "p")
		const alpha = 0.05
		rejected := make([]bool, len(p))
		order := make([]int, len(p))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int {
			if p[i] < p[j] {
				return -1
			}
			return 1
		})
		for rank, i := range order {
			if p[i] > alpha/float64(len(p)-rank) {
				break
			}
			rejected[i] = true
		}
		for i, adjusted := range stats.Holm(p) {
			if !(adjusted >= p[i] && adjusted <= 1) {
				t.Fatalf("%v adjusted to %v", p[i], adjusted)
			}
			if (adjusted <= alpha) != rejected[i] && math.Abs(adjusted-alpha) > 1e-12 {
				t.Fatalf("%v of %v adjusted to %v, rejected %v", p[i], p, adjusted, rejected[i])
			}
		}
	})
}

// By hand: the smallest times 4, the next times 3, and 0.04 not below the one before.
func ExampleHolm() {
	fmt.Printf("%.2f\n", stats.Holm([]float64{0.01, 0.04, 0.03, 0.005}))
	// Output: [0.03 0.06 0.06 0.02]
}
