package stats

import (
	"math"
	"sort"
)

// The functions of this file compute sample sizes for comparing two sides on the same
// items. They use the normal approximation of the mean of paired differences (Chow, Shao
// and Wang 2008, Sample Size Calculations in Clinical Research, 2nd ed., chapter 3; Miller
// 2024, arXiv:2411.00640, section 5).
//
// sd is the standard deviation of a difference, within cells if the design is stratified.
// delta is the assumed mean difference, alpha the error rate, power the probability of a
// true detection. Numbers of items are rounded up and at least 1.
//
// Invalid arguments give a *BadValue: an sd that is not above 0 (an sd of 0 means that no
// variation was seen), alpha and power outside 0 < alpha < power < 1, and a delta outside
// the stated range.

// maxItems bounds the number of items: above it a float64 does not hold every integer.
const maxItems = 1 << 53

// ItemsToDetect returns how many paired items detect a mean difference of delta:
// ((z_{1-α/2} + z_power) sd/delta)². delta must not be 0; its sign does not matter.
func ItemsToDetect(sd, delta, alpha, power float64) (int64, error) {
	if err := checkPlan(sd, alpha, power); err != nil {
		return 0, err
	}
	if delta == 0 || !finite(delta) {
		return 0, &BadValue{-1, delta, "is not a difference that can be detected: it must be finite and not 0"}
	}
	return roundUp(detection(alpha, power)*sd/delta, delta)
}

// ItemsBeyond returns how many paired items show that a mean difference of delta lies
// outside ±rope: ((z_{1-α/2} + z_power) sd/(|delta| - rope))². |delta| must be above rope.
func ItemsBeyond(sd, delta, rope, alpha, power float64) (int64, error) {
	if err := checkPlan(sd, alpha, power); err != nil {
		return 0, err
	}
	if err := checkROPE(rope); err != nil {
		return 0, err
	}
	if !(math.Abs(delta) > rope) || !finite(delta) {
		return 0, &BadValue{-1, delta, "is not a difference outside the ROPE"}
	}
	return roundUp(detection(alpha, power)*sd/(math.Abs(delta)-rope), delta)
}

// ItemsEquivalent returns how many paired items show equivalence within ±rope by two
// one-sided tests (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics
// 15:657–680), if the mean difference is delta. It is the smallest n with
// Φ((rope-delta)√n/sd - z_{1-α}) - Φ(z_{1-α} - (rope+delta)√n/sd) ≥ power. |delta| must be
// below rope.
func ItemsEquivalent(sd, delta, rope, alpha, power float64) (int64, error) {
	if err := checkPlan(sd, alpha, power); err != nil {
		return 0, err
	}
	if err := checkROPE(rope); err != nil {
		return 0, err
	}
	delta = math.Abs(delta)
	if !(delta < rope) {
		return 0, &BadValue{-1, delta, "is not a difference inside the ROPE"}
	}
	var (
		z    = normalQuantile(1 - alpha)
		near = rope - delta
		far  = rope + delta
		// The nearer bound alone gives a lower limit of √n/sd, two bounds as near an
		// upper limit. At delta 0 the upper limit is the solution.
		low  = (z + normalQuantile(power)) / near
		high = (z + normalQuantile((1+power)/2)) / near
	)
	for delta > 0 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if Normal(near*mid-z)-Normal(z-far*mid) < power {
			low = mid
		} else {
			high = mid
		}
	}
	return roundUp(high*sd, delta)
}

// Detectable returns the smallest mean difference that n paired items detect: (z_{1-α/2} +
// z_power) sd/√n. Invalid arguments, among them n < 1 and an sd that is not above 0, give
// NaN: a detectable difference of 0 would be wrong.
func Detectable(sd float64, n int64, alpha, power float64) float64 {
	if checkPlan(sd, alpha, power) != nil || n < 1 {
		return math.NaN()
	}
	return detection(alpha, power) * sd / math.Sqrt(float64(n))
}

// DetectableBeyond returns the smallest mean difference that n paired items show to be
// outside ±rope by a one-sided test at alpha, and different from 0 by a two-sided one: rope
// + (z_{1-α} + z_power) sd/√n, and at least Detectable. Invalid arguments give NaN.
func DetectableBeyond(sd float64, n int64, rope, alpha, power float64) float64 {
	if checkROPE(rope) != nil {
		return math.NaN()
	}
	different := Detectable(sd, n, alpha, power)
	return max(different, rope+(normalQuantile(1-alpha)+normalQuantile(power))*sd/math.Sqrt(float64(n)))
}

// checkPlan rejects invalid arguments of a sample size.
func checkPlan(sd, alpha, power float64) error {
	switch {
	case !(sd > 0) || !finite(sd):
		return &BadValue{-1, sd, "is not a finite standard deviation above 0"}
	case !(alpha > 0 && alpha < 1):
		return &BadValue{-1, alpha, "is not an error rate between 0 and 1"}
	case !(power > alpha && power < 1):
		return &BadValue{-1, power, "is not a power between the error rate and 1"}
	}
	return nil
}

// checkROPE rejects an invalid half-width of a ROPE.
func checkROPE(rope float64) error {
	if !(rope >= 0) || !finite(rope) {
		return &BadValue{-1, rope, "is not a half-width of a ROPE"}
	}
	return nil
}

// detection returns z_{1-α/2} + z_power: how many standard errors away from 0 a difference
// must be to be detected by a two-sided test.
func detection(alpha, power float64) float64 {
	return normalQuantile(1-alpha/2) + normalQuantile(power)
}

// roundUp returns the square of root, rounded up, and an error that names delta if that is
// too large.
func roundUp(root, delta float64) (int64, error) {
	n := math.Ceil(root * root)
	if !(n <= maxItems) {
		return 0, &BadValue{-1, delta, "is too small a difference for any number of items"}
	}
	return max(1, int64(n)), nil
}

func normalQuantile(p float64) float64 { return NormalQuantile(p) }

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
