package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"verbatim/internal/stats"
)

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
