package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
	"verbatim/internal/testmain"
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

// Equal weights give Holm's method. Unequal ones, worked by hand.
func TestWeightedHolm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(6)
		p, w := make([]float64, n), make([]float64, n)
		for i := range p {
			p[i], w[i] = math.Pow(r.Float64(), 3), .25
		}
		want, got := stats.Holm(p), stats.WeightedHolm(p, w)
		for i := range p {
			if math.Abs(want[i]-got[i]) > 1e-12 {
				t.Fatalf("p %v: %v, want %v", p, got, want)
			}
		}
	}
	// p/w: .01, .04, .02. First .005/.5 = .01; then .01 · .5/.25 = .02 of the third; then .01.
	if got, want := stats.WeightedHolm([]float64{.005, .01, .005}, []float64{.5, .25, .25}), []float64{.01, .01, .01}; !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := stats.WeightedHolm([]float64{1, .9}, []float64{.5, .5}); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("%v", got)
	}
}

// The probability of any false rejection is at most alpha, also where p values depend on each
// other and one hypothesis is false.
func TestWeightedHolmRate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	w := []float64{.5, .25, .125, .125}
	const runs, alpha = 20_000, .05
	for _, shared := range []float64{0, .5, 1} {
		wrong := 0
		for range runs {
			common := r.Float64()
			p := []float64{1e-9, 0, 0, 0} // the first hypothesis is false
			for i := 1; i < len(p); i++ {
				if p[i] = r.Float64(); r.Float64() < shared {
					p[i] = common
				}
			}
			for i, adjusted := range stats.WeightedHolm(p, w) {
				if i > 0 && adjusted <= alpha {
					wrong++
					break
				}
			}
		}
		if rate := float64(wrong) / runs; rate > alpha+4*math.Sqrt(alpha/runs) {
			t.Errorf("shared %v: %v of the runs reject a true hypothesis", shared, rate)
		}
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }
