package change

import "math"

// UpperBound returns the upper bound on a rate of which k of n trials are seen, with a confidence
// between 0 and 1: the largest rate at which k or fewer have a probability of 1 − confidence or
// more (Clopper and Pearson 1934, one-sided). Without trials it is 1.
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
	all, _ := math.Lgamma(float64(n) + 1)
	sum := 0.0
	for i := 0; i <= k; i++ {
		chosen, _ := math.Lgamma(float64(i) + 1)
		rest, _ := math.Lgamma(float64(n-i) + 1)
		sum += math.Exp(all - chosen - rest + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return min(1, sum)
}
