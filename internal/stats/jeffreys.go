package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Jeffreys returns the equal-tailed interval of a share under Jeffreys' prior. Successes
// out of n independent trials give the posterior Beta(successes+½, n-successes+½), whose
// quantiles are the ends (Brown, Cai and DasGupta 2001, Statistical Science 16:101–133,
// section 3.1.3). lo is exactly 0 without a success and hi exactly 1 without a failure
// (their section 4.1.1), so the interval always holds the observed share.
//
// Invalid arguments give NaN, NaN, as for Wilson; n = 0 is one of them.
func Jeffreys(successes, n int, confidence float64) (lo, hi float64) {
	if n <= 0 || successes < 0 || successes > n || !(confidence > 0 && confidence < 1) {
		return math.NaN(), math.NaN()
	}
	var (
		a    = float64(successes) + 0.5
		b    = float64(n-successes) + 0.5
		tail = (1 - confidence) / 2
	)
	lo, hi = 0, 1
	if successes > 0 {
		lo = mathext.InvRegIncBeta(a, b, tail)
	}
	if successes < n {
		// Computed from the failures: a quantile near 0 has more digits than one near 1.
		hi = 1 - mathext.InvRegIncBeta(b, a, tail)
	}
	return lo, hi
}
