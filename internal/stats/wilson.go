package stats

import "math"

// Wilson returns the ends of the score interval of a share: successes out of n independent
// trials with equal chance (Wilson 1927, JASA 22:209–212, without continuity correction).
// At confidence 0.95 it holds the true share in about 95 % of samples, also near 0 and 1,
// where the textbook interval fails. 0 ≤ lo ≤ successes/n ≤ hi ≤ 1. lo is exactly 0
// without a success, and hi exactly 1 without a failure.
//
// Invalid arguments give NaN, NaN: n of 0 or below, successes outside 0 to n, a confidence
// that is not between 0 and 1. NaN makes callers handle n = 0, which an interval from 0 to
// 1 would hide.
func Wilson(successes, n int, confidence float64) (lo, hi float64) {
	if n <= 0 || successes < 0 || successes > n || !(confidence > 0 && confidence < 1) {
		return math.NaN(), math.NaN()
	}
	return wilson(float64(successes)/float64(n), float64(n), math.Sqrt2*math.Erfinv(confidence))
}

// wilsonShare is Wilson for a share of an effective number of trials, such as that of
// trials in clusters. n need not be whole. Invalid arguments give NaN, NaN.
func wilsonShare(share, n, confidence float64) (lo, hi float64) {
	if !(n > 0 && share >= 0 && share <= 1 && confidence > 0 && confidence < 1) {
		return math.NaN(), math.NaN()
	}
	return wilson(share, n, math.Sqrt2*math.Erfinv(confidence))
}

// wilson is wilsonShare for valid arguments. z is the quantile in place of the confidence.
func wilson(share, trials, z float64) (lo, hi float64) {
	shrink := 1 + z*z/trials
	centre := (share + z*z/(2*trials)) / shrink
	half := z / shrink * math.Sqrt(share*(1-share)/trials+z*z/(4*trials*trials))
	// Rounding must not move an end beyond the range or the estimate.
	return min(max(centre-half, 0), share), max(min(centre+half, 1), share)
}
