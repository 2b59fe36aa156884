package signedrank

import (
	"math"

	"verbatim/internal/stats"
)

// cohenD returns Cohen's d: the difference of the means of a and b in units of their pooled
// standard deviation s (Cohen 1988, Statistical Power Analysis for the Behavioral Sciences,
// 2.2). ok is false if d is undefined: s is 0, not finite or NaN.
func cohenD(a, b stats.Moments, s float64) (d float64, ok bool) {
	if !(s > 0) || math.IsInf(s, 1) {
		return 0, false
	}
	return (a.Mean - b.Mean) / s, true
}

// pooledSD returns the pooled standard deviation of two columns of n scores each:
// √(((n-1)·var x + (n-1)·var y) / (2n-2)). n includes NaN, as in published analyses.
func pooledSD(x, y stats.Moments, n int) float64 {
	free := float64(n - 1)
	return math.Sqrt((free*x.SD*x.SD + free*y.SD*y.SD) / (free + free))
}

// Magnitude is the word for the size of an effect: negligible below 0.2, small below 0.5,
// medium below 0.8, otherwise large (Cohen 1988, 2.2.2; "negligible" is autorank's).
func Magnitude(d float64) string {
	switch d = math.Abs(d); {
	case d < 0.2:
		return "negligible"
	case d < 0.5:
		return "small"
	case d < 0.8:
		return "medium"
	}
	return "large"
}

// momentsOf returns the moments of the scores that are not NaN.
func momentsOf(x []float64) stats.Moments {
	var m stats.Moments
	for _, v := range x {
		if !math.IsNaN(v) {
			m.N++
			m.Mean += v
		}
	}
	if m.N == 0 {
		return m
	}
	m.Mean /= float64(m.N)
	squares := 0.0
	for _, v := range x {
		if !math.IsNaN(v) {
			squares += (v - m.Mean) * (v - m.Mean)
		}
	}
	if m.N > 1 {
		m.SD = math.Sqrt(squares / float64(m.N-1))
	}
	return m
}
