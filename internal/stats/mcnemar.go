package stats

import "math"

// McNemar returns the two-sided mid-p value of the hypothesis that, of the pairs
// in which exactly one side succeeds, each side has a half: b pairs in which only
// the first succeeds and c in which only the second does. It is
// min(1, 2 F(min(b, c)) - f(min(b, c))) with F and f of the binomial distribution
// of b+c trials with chance ½, and 1 where b = c (Fagerland, Lydersen and Laake
// 2013, BMC Medical Research Methodology 13:91). The exact test counts the
// outcome seen in full and is the more conservative one.
//
// Without such a pair nothing speaks against the hypothesis: McNemar(0, 0) is 1.
// A count below 0 has no meaning and gives NaN.
func McNemar(b, c int64) float64 {
	switch {
	case b < 0 || c < 0:
		return math.NaN()
	case b == c:
		return 1
	}
	// 2 F(k) - f(k) = F(k) + F(k-1), which does not cancel, and F(k) is the chance
	// that a Beta(n-k, k+1) variable is below ½.
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
