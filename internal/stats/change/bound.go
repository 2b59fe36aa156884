package change

import "math"

// UpperBound returns the upper confidence bound on a rate, if k of n independent trials are
// hits: the largest rate at which k or fewer hits have a probability of 1 − confidence or more
// (Clopper and Pearson 1934, one-sided). confidence is between 0 and 1. Without trials the
// bound is 1.
func UpperBound(k, n int, confidence float64) float64 {
	if n <= 0 || k >= n {
		return 1
	}
	low, high := float64(k)/float64(n), 1.0
	for range 60 {
		middle := (low + high) / 2
		if atMost(k, n, middle) >= 1-confidence {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// atMost returns P(Bin(n, p) <= k).
func atMost(k, n int, p float64) float64 {
	sum := 0.0
	for i := range k + 1 {
		sum += math.Exp(logChoose(n, i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return min(1, sum)
}

// logChoose returns the logarithm of the binomial coefficient n over k.
func logChoose(n, k int) float64 {
	logFactorial := func(x int) float64 {
		g, _ := math.Lgamma(float64(x) + 1)
		return g
	}
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

// bisect narrows the range from low to high to a width. holds must be false at low and true
// at high, and change once.
func bisect(low, high, width float64, holds func(x float64) bool) (float64, float64) {
	for high-low > width {
		if mid := (low + high) / 2; holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return low, high
}
