package signedrank

import (
	"math"

	"verbatim/internal/stats"
)

// CohenD returns the difference of the means of x and y in units of their pooled standard
// deviation (Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, 2.2),
// positive if x has the higher mean:
//
//	d = (mean x - mean y) / √(((n-1)·var x + (n-1)·var y) / (2n-2))
//
// Scores that are NaN are left out of means and variances, and counted in n. ok is false
// if d is undefined: no variation on either side, fewer than two scores on a side, or an
// infinite score.
func CohenD(x, y []float64) (d float64, ok bool) {
	a, b := momentsOf(x), momentsOf(y)
	if a.N < 2 || b.N < 2 {
		return 0, false
	}
	return cohenD(a, b, pooledSD(a, b, len(x), len(y)))
}

// cohenD is CohenD for a given pooled standard deviation s.
func cohenD(a, b stats.Moments, s float64) (d float64, ok bool) {
	if !(s > 0) || math.IsInf(s, 1) {
		return 0, false
	}
	return (a.Mean - b.Mean) / s, true
}

// pooledSD is the pooled standard deviation of columns with nx and ny scores. These
// numbers include NaN, as in published analyses.
func pooledSD(x, y stats.Moments, nx, ny int) float64 {
	a, b := float64(nx-1), float64(ny-1)
	return math.Sqrt((a*x.SD*x.SD + b*y.SD*y.SD) / (a + b))
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
