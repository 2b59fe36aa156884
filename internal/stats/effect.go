package stats

import "math"

// CohenD is the difference of the means of x and y in units of their pooled standard
// deviation (Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, 2.2),
// positive if x has the higher mean:
//
//	d = (mean x - mean y) / √(((n-1)·var x + (n-1)·var y) / (2n-2))
//
// Scores that are NaN are left out of means and variances. ok is false where there is
// no such number: without a spread on both sides, with fewer than two scores on
// either, or with an infinite one.
func CohenD(x, y []float64) (d float64, ok bool) {
	a, b := describe(x), describe(y)
	if a.n < 2 || b.n < 2 {
		return 0, false
	}
	return cohenD(a, b, len(x), len(y))
}

// cohenD is CohenD of two descriptions. The weights of the variances count scores
// that are NaN, as published analyses do.
func cohenD(a, b described, na, nb int) (d float64, ok bool) {
	s := pooledSD(a, b, na, nb)
	if !(s > 0) || math.IsInf(s, 1) {
		return 0, false
	}
	return (a.mean - b.mean) / s, true
}

// pooledSD is the pooled standard deviation.
func pooledSD(a, b described, na, nb int) float64 {
	x, y := float64(na-1), float64(nb-1)
	return math.Sqrt((x*a.sd*a.sd + y*b.sd*b.sd) / (x + y))
}

// Magnitude is the word for an effect size, whatever its sign: negligible below 0.2,
// small below 0.5, medium below 0.8, large from there on (Cohen 1988, 2.2; the first
// word is that of Sawilowsky's followers and of autorank).
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

// A described is what a column of scores is described by, NaN left out.
type described struct {
	n        int
	mean, sd float64
}

func describe(x []float64) described {
	var c described
	for _, v := range x {
		if !math.IsNaN(v) {
			c.n++
			c.mean += v
		}
	}
	c.mean /= float64(c.n)
	squares := 0.0
	for _, v := range x {
		if !math.IsNaN(v) {
			squares += (v - c.mean) * (v - c.mean)
		}
	}
	c.sd = math.Sqrt(squares / float64(c.n-1))
	return c
}
