package change

// ShareInterval returns an anytime-valid interval for the share of trials that differ, after n
// trials, k of which differ. It holds the shares u for which neither the e-process against "at
// most u" (a Share) nor the one against "at least u" has reached 2/(1 − confidence). The
// confidence holds for any rule of stopping. The assumption is that each trial differs with the
// same probability, whatever the trials before it were. Without trials it is 0 to 1.
func ShareInterval(k, n int, confidence float64) (low, high float64) {
	threshold := 2 / (1 - confidence)
	return shareBound(k, n, threshold), 1 - shareBound(n-k, n, threshold)
}

// shareBound returns the largest share at which the e-process is at the threshold or above; 0
// without one. The e-process falls as the share rises. Its value does not depend on the order
// of the trials.
func shareBound(k, n int, threshold float64) float64 {
	reached := func(u float64) bool {
		s, err := NewShare(u)
		if err != nil {
			return false
		}
		for i := range n {
			s.Add(i < k)
		}
		return s.Value() >= threshold
	}
	low, _ := bisect(0, 1, 1e-6, func(u float64) bool { return !reached(u) })
	return low
}

// RateInterval returns the confidence interval of a rate, if k of n independent trials are hits
// (Clopper and Pearson 1934, two-sided). Without trials it is 0 to 1.
func RateInterval(k, n int, confidence float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	one := (1 + confidence) / 2
	return 1 - UpperBound(n-k, n, one), UpperBound(k, n, one)
}

// PairedInterval returns an interval for the difference of two rates in n independent pairs, of
// which onlyA have the first side alone and onlyB the second side alone: the second minus the
// first. It joins four one-sided bounds (Bonferroni), so that its level holds for every n.
func PairedInterval(onlyA, onlyB, n int, confidence float64) (low, high float64) {
	half := (1 + confidence) / 2 // each of the two rates has an interval of this confidence
	lowA, highA := RateInterval(onlyA, n, half)
	lowB, highB := RateInterval(onlyB, n, half)
	low, high = lowB-highA, highB-lowA
	return min(low, high), max(low, high)
}
