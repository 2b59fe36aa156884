package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// The functions of this file plan a comparison of two sides on the same items by
// the normal approximation of the mean of paired differences (Chow, Shao and Wang
// 2008, Sample Size Calculations in Clinical Research, 2nd ed., chapter 3; Miller
// 2024, arXiv:2411.00640, section 5). sd is the standard deviation of a difference,
// the one within cells where the design is stratified; delta is the mean
// difference assumed, alpha the chance of a false finding and power that of a true
// one. Numbers of items are rounded up and at least 1.
//
// They refuse by *BadValue what has no meaning: an sd that is not above 0 (one of 0
// says that nothing was seen to vary, and from that no number follows), alpha and
// power other than 0 < alpha < power < 1, and a delta out of the reach that each
// names.

// mostItems is where a number of items stops being an answer: beyond it a float64
// does not hold every integer.
const mostItems = 1 << 53

// ItemsToDetect returns how many paired items show a mean difference of delta to
// differ from 0: ((z_{1-α/2} + z_power) sd/delta)². delta must not be 0; its sign
// does not matter.
func ItemsToDetect(sd, delta, alpha, power float64) (int64, error) {
	if err := planned(sd, alpha, power); err != nil {
		return 0, err
	}
	if delta == 0 || !finite(delta) {
		return 0, &BadValue{-1, delta, "is no difference that can be detected"}
	}
	return items((normal(1-alpha/2)+normal(power))*sd/delta, delta)
}

// ItemsBeyond returns how many paired items show a mean difference of delta to lie
// beyond rope, the half-width of what counts as equivalent:
// ((z_{1-α/2} + z_power) sd/(|delta| - rope))². |delta| must be above rope.
func ItemsBeyond(sd, delta, rope, alpha, power float64) (int64, error) {
	if err := planned(sd, alpha, power); err != nil {
		return 0, err
	}
	if err := width(rope); err != nil {
		return 0, err
	}
	if !(math.Abs(delta) > rope) || !finite(delta) {
		return 0, &BadValue{-1, delta, "is no difference beyond the region of equivalence"}
	}
	return items((normal(1-alpha/2)+normal(power))*sd/(math.Abs(delta)-rope), delta)
}

// ItemsEquivalent returns how many paired items show by two one-sided tests that
// the mean difference lies within ±rope (Schuirmann 1987, Journal of
// Pharmacokinetics and Biopharmaceutics 15:657–680), where it is delta: the
// smallest n with Φ((rope-delta)√n/sd - z_{1-α}) - Φ(z_{1-α} - (rope+delta)√n/sd)
// at power or above. |delta| must be below rope.
func ItemsEquivalent(sd, delta, rope, alpha, power float64) (int64, error) {
	if err := planned(sd, alpha, power); err != nil {
		return 0, err
	}
	if err := width(rope); err != nil {
		return 0, err
	}
	delta = math.Abs(delta)
	if !(delta < rope) {
		return 0, &BadValue{-1, delta, "is no difference within the region of equivalence"}
	}
	var (
		z    = normal(1 - alpha)
		near = rope - delta
		far  = rope + delta
		// The nearer bound alone gives the least √n/sd, twice the nearer one the
		// most; at delta 0 the most is the solution.
		low  = (z + normal(power)) / near
		high = (z + normal((1+power)/2)) / near
	)
	for delta > 0 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if distuv.UnitNormal.CDF(near*mid-z)-distuv.UnitNormal.CDF(z-far*mid) < power {
			low = mid
		} else {
			high = mid
		}
	}
	return items(high*sd, delta)
}

// ItemsMcNemar returns how many pairs of right and wrong answers show by McNemar's
// test that the shares of right ones differ by delta, where the share discordant
// of the pairs is right on one side only:
// (z_{1-α/2} √discordant + z_power √(discordant - delta²))²/delta² (Connor 1987,
// Biometrics 43:207–211). 0 < |delta| ≤ discordant ≤ 1.
func ItemsMcNemar(discordant, delta, alpha, power float64) (int64, error) {
	if err := planned(1, alpha, power); err != nil {
		return 0, err
	}
	if !(discordant > 0 && discordant <= 1) {
		return 0, &BadValue{-1, discordant, "is no share of discordant pairs above 0"}
	}
	if delta == 0 || !(math.Abs(delta) <= discordant) {
		return 0, &BadValue{-1, delta, "is no difference of shares that so many discordant pairs can make"}
	}
	return items((normal(1-alpha/2)*math.Sqrt(discordant)+normal(power)*math.Sqrt(discordant-delta*delta))/delta, delta)
}

// Detectable returns the smallest mean difference that n paired items tell from 0:
// (z_{1-α/2} + z_power) sd/√n. Arguments without a meaning, among them n < 1 and an
// sd of 0 or below, give NaN: a difference of 0 would claim to detect everything.
func Detectable(sd float64, n int64, alpha, power float64) float64 {
	if planned(sd, alpha, power) != nil || n < 1 {
		return math.NaN()
	}
	return (normal(1-alpha/2) + normal(power)) * sd / math.Sqrt(float64(n))
}

// SDWithRepeats returns the standard deviation of an item's difference where each
// side answers every item r times and its mean counts:
// √(between² + (withinA² + withinB²)/r), from the standard deviations of the true
// difference between items and of either side's answers within one (Miller 2024,
// arXiv:2411.00640, section 3.1). r < 1, and a standard deviation that is negative
// or not finite, have no meaning and give NaN.
func SDWithRepeats(between, withinA, withinB float64, r int) float64 {
	if r < 1 || !(between >= 0 && withinA >= 0 && withinB >= 0) || !finite(between+withinA+withinB) {
		return math.NaN()
	}
	return math.Hypot(between, math.Hypot(withinA, withinB)/math.Sqrt(float64(r)))
}

// planned refuses what no plan can be made from.
func planned(sd, alpha, power float64) error {
	switch {
	case !(sd > 0) || !finite(sd):
		return &BadValue{-1, sd, "is no finite standard deviation above 0"}
	case !(alpha > 0 && alpha < 1):
		return &BadValue{-1, alpha, "is no error rate between 0 and 1"}
	case !(power > alpha && power < 1):
		return &BadValue{-1, power, "is no power between the error rate and 1"}
	}
	return nil
}

// width refuses what cannot be half the width of a region of equivalence.
func width(rope float64) error {
	if !(rope >= 0) || !finite(rope) {
		return &BadValue{-1, rope, "is no half-width of a region of equivalence"}
	}
	return nil
}

// items is the square of root, rounded up.
func items(root, delta float64) (int64, error) {
	n := math.Ceil(root * root)
	if !(n <= mostItems) {
		return 0, &BadValue{-1, delta, "is a difference that no number of items which could be asked settles"}
	}
	return max(1, int64(n)), nil
}

func normal(p float64) float64 { return distuv.UnitNormal.Quantile(p) }
