package stats

import "math"

// McNemar returns the two-sided mid-p value of McNemar's test. b pairs are right on the
// first side only, c on the second side only. The hypothesis is that both are equally
// likely. The value is min(1, 2 F(k) - f(k)) with k = min(b, c), and F and f of the
// binomial distribution with b+c trials and chance ½; it is 1 if b = c (Fagerland,
// Lydersen and Laake 2013, BMC Medical Research Methodology 13:91). The exact test counts
// f(k) in full and is more conservative.
//
// McNemar(0, 0) is 1. A negative count gives NaN.
func McNemar(b, c int64) float64 {
	switch {
	case b < 0 || c < 0:
		return math.NaN()
	case b == c:
		return 1
	}
	// 2 F(k) - f(k) = F(k) + F(k-1), which avoids cancellation. F(k) is the
	// probability that a Beta(n-k, k+1) variable is below ½.
	var (
		n = float64(b) + float64(c)
		k = float64(min(b, c))
		p = newGammaSum([]float64{0, 1}, []float64{k + 1, n - k}).tail(0.5, -1, 0)
	)
	if k > 0 {
		p += newGammaSum([]float64{0, 1}, []float64{k, n - k + 1}).tail(0.5, -1, 0)
	}
	return min(1, p)
}
