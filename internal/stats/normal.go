package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Normal returns the probability that a standard normal variable is at most x.
func Normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// NormalAbove returns the probability that a standard normal variable is more than x. It keeps
// its precision where that is close to 0.
func NormalAbove(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// NormalQuantile returns the x that Normal maps to p: infinite at 0 and 1, and a panic beyond.
func NormalQuantile(p float64) float64 { return mathext.NormalQuantile(p) }

// StudentQuantile returns the quantile of probability p of Student's t distribution with a
// number of degrees of freedom, which need not be whole. Source: the relation of its tail to the
// regularized incomplete beta function, Abramowitz and Stegun, 26.7.1.
func StudentQuantile(p, freedom float64) float64 {
	tail := 2 * min(p, 1-p) // both tails beyond the quantile together
	if tail == 1 {
		return 0
	}
	x := mathext.InvRegIncBeta(freedom/2, 0.5, tail) // freedom/(freedom + t²)
	return math.Copysign(math.Sqrt(freedom*(1-x)/x), p-0.5)
}
