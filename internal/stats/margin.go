package stats

import (
	"math"
	"sort"
)

// MarginToPass returns the smallest margin at which an unchanged endpoint passes the final
// look of a Gate with probability power, for n items and error rate alpha: (z_{1-α/2}
// √(sd² + 1/n) + z_power sd)/√n. sd is the standard deviation of a difference, √2 times
// that of repeated answers to one item.
//
// It is the power of a non-inferiority test (Chow, Shao and Wang 2008, Sample Size
// Calculations in Clinical Research, 2nd ed., section 3.2.3) with the variance of the
// anchored posterior. The anchors at -1 and 1 add 1/n, so an sd of 0 has an answer as
// well. A gate that also decides early passes slightly more often.
//
// Invalid arguments, among them n < 1 and a negative sd, give NaN.
func MarginToPass(sd float64, n int64, alpha, power float64) float64 {
	if !(sd >= 0) || !finite(sd) || n < 1 || checkPlan(1, alpha, power) != nil {
		return math.NaN()
	}
	items := float64(n)
	return (normalQuantile(1-alpha/2)*math.Sqrt(sd*sd+1/items) + normalQuantile(power)*sd) / math.Sqrt(items)
}

// ItemsToPass returns the smallest number of items for which MarginToPass is at most
// margin. A margin that is not above 0, and arguments for which MarginToPass is NaN, give
// a *BadValue.
func ItemsToPass(sd, margin, alpha, power float64) (int64, error) {
	if math.IsNaN(MarginToPass(sd, 1, alpha, power)) {
		return 0, &BadValue{-1, sd, "is not a standard deviation, or the error rate or power is not valid"}
	}
	if !(margin > 0) || !finite(margin) {
		return 0, &BadValue{-1, margin, "is not a margin above 0"}
	}
	n := sort.Search(1<<50, func(n int) bool { return n > 0 && MarginToPass(sd, int64(n), alpha, power) <= margin })
	if n == 1<<50 {
		return 0, &BadValue{-1, margin, "is too small a margin for any number of items"}
	}
	return int64(n), nil
}
