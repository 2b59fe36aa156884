package stats

import (
	"math"
	"sort"
)

// MarginToPass returns the smallest margin at which an endpoint that has not changed
// passes the last look of a Gate, at error rate alpha, over n items with the
// probability power: (z_{1-α/2} √(sd² + 1/n) + z_power sd)/√n. sd is the standard
// deviation of a difference, 2^½ times that of an answer to an item that is asked
// again. It is the power of a test for non-inferiority (Chow, Shao and Wang 2008,
// Sample Size Calculations in Clinical Research, 2nd ed., section 3.2.3) with the
// variance of the anchored posterior, to which the anchors at -1 and 1 add 1/n: so
// there is an answer for an sd of 0 as well. Bets that decide earlier make it pass
// a little oftener.
//
// Arguments without a meaning, among them n < 1 and an sd below 0, give NaN.
func MarginToPass(sd float64, n int64, alpha, power float64) float64 {
	if !(sd >= 0) || !finite(sd) || n < 1 || planned(1, alpha, power) != nil {
		return math.NaN()
	}
	items := float64(n)
	return (normal(1-alpha/2)*math.Sqrt(sd*sd+1/items) + normal(power)*sd) / math.Sqrt(items)
}

// ItemsToPass returns how many items it takes for MarginToPass to be at margin or
// below. It refuses by *BadValue a margin that is not above 0 and what MarginToPass
// has no number for.
func ItemsToPass(sd, margin, alpha, power float64) (int64, error) {
	if math.IsNaN(MarginToPass(sd, 1, alpha, power)) {
		return 0, &BadValue{-1, sd, "is no standard deviation, or the error rate and the power are none"}
	}
	if !(margin > 0) || !finite(margin) {
		return 0, &BadValue{-1, margin, "is no margin above 0"}
	}
	n := sort.Search(1<<50, func(n int) bool { return n > 0 && MarginToPass(sd, int64(n), alpha, power) <= margin })
	if n == 1<<50 {
		return 0, &BadValue{-1, margin, "is a margin that no number of items which could be asked settles"}
	}
	return int64(n), nil
}
