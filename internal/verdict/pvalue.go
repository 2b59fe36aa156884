package verdict

import "verbatim/internal/stats"

// PValue is the value that must be small for a verdict: the posterior probability that the
// most probable word is wrong. For worse and better it is at least the p-value of the
// sign-flip test, which bounds the probability of such a verdict on equal models. A
// posterior does not bound it if few items differ.
func PValue(t stats.Probabilities, signFlip float64) float64 {
	p := max(0, 1-maxProbability(t))
	if mostProbable(t) != Equivalent {
		p = max(p, signFlip)
	}
	return p
}

// mostProbable is the word of the largest of the three probabilities.
func mostProbable(t stats.Probabilities) Word {
	switch {
	case t.Worse > t.Equivalent && t.Worse > t.Better:
		return Worse
	case t.Better > t.Equivalent && t.Better > t.Worse:
		return Better
	}
	return Equivalent
}

// maxProbability is the largest of the three probabilities.
func maxProbability(t stats.Probabilities) float64 { return max(t.Worse, t.Equivalent, t.Better) }

// Rounding is the tolerance of comparisons with a threshold.
const Rounding = 1e-12
