package stats

import "math"

// Wilson returns the ends of the score interval of a share: successes out of n
// independent trials that succeed alike (Wilson 1927, JASA 22:209–212, without a
// correction for continuity). With confidence 0.95 it covers the true share in
// about 95 % of samples, also near 0 and 1, where the textbook interval does not.
// 0 ≤ lo ≤ successes/n ≤ hi ≤ 1; lo is exactly 0 without a success, and hi is
// exactly 1 without a failure.
//
// Without a trial nothing is known: n = 0 gives NaN, NaN, and so does every
// argument without a meaning (n or successes below 0, more successes than
// trials, a confidence outside the open interval from 0 to 1). Callers that
// print must tell this case apart, which NaN forces and an interval from 0 to 1
// would not.
func Wilson(successes, n int, confidence float64) (lo, hi float64) {
	if n <= 0 || successes < 0 || successes > n || !(confidence > 0 && confidence < 1) {
		return math.NaN(), math.NaN()
	}
	var (
		z      = math.Sqrt2 * math.Erfinv(confidence)
		trials = float64(n)
		share  = float64(successes) / trials
		shrink = 1 + z*z/trials
		centre = (share + z*z/(2*trials)) / shrink
		half   = z / shrink * math.Sqrt(share*(1-share)/trials+z*z/(4*trials*trials))
	)
	// Rounding must not push an end past the range or the estimate, which is
	// exactly 0 without a success and exactly 1 without a failure.
	return min(max(centre-half, 0), share), max(min(centre+half, 1), share)
}
