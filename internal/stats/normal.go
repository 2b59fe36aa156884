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
