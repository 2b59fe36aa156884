package signedrank

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"verbatim/internal/stats"
	"verbatim/internal/testmain"
)

// Draws have the mean and the variance of their distribution, both equal to the
// shape, and stay below its quartiles as often as they should.
func TestGamma(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	const n = 40_000
	r := rand.New(rand.NewPCG(1, 1))
	for _, shape := range []float64{0.5, 1, 1.5, 4, 8, 8.5, 20, 160.5} {
		var sum, squares float64
		var below [3]float64
		for range n {
			x := stats.DrawGamma(r, shape)
			sum += x
			squares += (x - shape) * (x - shape)
			for q := range below {
				if mathext.GammaIncReg(shape, x) < float64(q+1)/4 {
					below[q]++
				}
			}
		}
		// The fourth moment about the mean is 3·shape² + 6·shape.
		if off := (sum/n - shape) / math.Sqrt(shape/n); math.Abs(off) > 4.5 {
			t.Errorf("shape %v: the mean is %v, off by %v standard errors", shape, sum/n, off)
		}
		if off := (squares/n - shape) / math.Sqrt((2*shape*shape+6*shape)/n); math.Abs(off) > 4.5 {
			t.Errorf("shape %v: the variance is %v, off by %v standard errors", shape, squares/n, off)
		}
		for q, share := range below {
			if p := float64(q+1) / 4; math.Abs(share/n-p) > 4.5*math.Sqrt(p*(1-p)/n) {
				t.Errorf("shape %v: %v of the draws are below the quantile of %v", shape, share/n, p)
			}
		}
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }
