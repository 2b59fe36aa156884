package change

import (
	"fmt"
	"math"
)

// stakeShares are the shares of the largest possible stake that a Share and a Watch bet.
var stakeShares = [...]float64{.1, .25, .5, .8}

// maxStake bounds a stake, so that products never overflow. It is far above any threshold.
const maxStake = 1e100

// A Share is the e-process against the null hypothesis that each trial differs with
// probability u at most, whatever the trials before it were. Trials need not be
// independent.
type Share struct {
	u      float64
	stakes [len(stakeShares)]float64
}

// NewShare returns an e-process of value 1 for a share u between 0 and 1, both excluded.
func NewShare(u float64) (*Share, error) {
	if !(u > 0 && u < 1) {
		return nil, fmt.Errorf("change: the share must be above 0 and below 1, got %v", u)
	}
	s := &Share{u: u}
	for k := range s.stakes {
		s.stakes[k] = 1
	}
	return s, nil
}

// Add settles the bets on one trial.
func (s *Share) Add(differs bool) { settle(&s.stakes, s.u, differs) }

// Value returns the e-process after the last trial, 1 before the first.
func (s *Share) Value() float64 { return mean(s.stakes) }

// settle multiplies each stake with 1 + f/u·(y - u), where y is 1 for a trial that differs.
func settle(stakes *[len(stakeShares)]float64, u float64, differs bool) {
	y := 0.0
	if differs {
		y = 1
	}
	for k, f := range stakeShares {
		stakes[k] = min(stakes[k]*(1+f/u*(y-u)), maxStake)
	}
}

func mean(stakes [len(stakeShares)]float64) float64 {
	sum := 0.0
	for _, x := range stakes {
		sum += x
	}
	return sum / float64(len(stakes))
}

// SharePower returns the probability that n independent trials, each of which differs with
// probability q, bring a Share for u to 1/alpha at any time.
func SharePower(u, q, alpha float64, n int) float64 {
	open := make([]float64, n+2) // P(k trials differ, and 1/alpha is not reached so far), by k
	open[0] = 1
	wins, losses := powers(u, n)
	reached := 0.0
	for trial := 1; trial <= n; trial++ {
		for k := trial; k >= 0; k-- {
			p := open[k] * (1 - q)
			if k > 0 {
				p += open[k-1] * q
			}
			if open[k] = p; p == 0 {
				continue
			}
			value := 0.0 // of the Share, which does not depend on the order of the trials
			for i := range stakeShares {
				value += wins[i][k] * losses[i][trial-k] / float64(len(stakeShares))
			}
			if value >= 1/alpha {
				reached += p
				open[k] = 0
			}
		}
	}
	return min(reached, 1)
}

// powers returns, by stake, the factors by which 0 to n trials multiply it: wins those of
// trials that differ, losses those of the others.
func powers(u float64, n int) (wins, losses [len(stakeShares)][]float64) {
	for i, f := range stakeShares {
		win, loss := 1.0, 1.0
		for range n + 1 {
			wins[i], losses[i] = append(wins[i], win), append(losses[i], loss)
			win, loss = win*(1+f/u*(1-u)), loss*(1-f)
		}
	}
	return wins, losses
}

// DetectableShare returns the smallest probability of a differing trial that n trials detect
// with the given power. ok is false if even trials that all differ do not reach 1/alpha.
func DetectableShare(u, alpha, power float64, n int) (q float64, ok bool) {
	if SharePower(u, 1, alpha, n) < power {
		return 0, false
	}
	_, q = bisect(u, 1, 1e-4, func(q float64) bool { return SharePower(u, q, alpha, n) >= power })
	return q, true
}

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

// UpperBound returns the upper confidence bound on a rate, if k of n independent trials are
// hits: the largest rate at which k or fewer hits have a probability of 1 − confidence or more
// (Clopper and Pearson 1934, one-sided). confidence is between 0 and 1. Without trials the
// bound is 1.
func UpperBound(k, n int, confidence float64) float64 {
	if n <= 0 || k >= n {
		return 1
	}
	low, high := float64(k)/float64(n), 1.0
	for range 60 {
		middle := (low + high) / 2
		if atMost(k, n, middle) >= 1-confidence {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// atMost returns P(Bin(n, p) <= k).
func atMost(k, n int, p float64) float64 {
	sum := 0.0
	for i := range k + 1 {
		sum += math.Exp(logChoose(n, i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return min(1, sum)
}

// logChoose returns the logarithm of the binomial coefficient n over k.
func logChoose(n, k int) float64 {
	logFactorial := func(x int) float64 {
		g, _ := math.Lgamma(float64(x) + 1)
		return g
	}
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

// bisect narrows the range from low to high to a width. holds must be false at low and true
// at high, and change once.
func bisect(low, high, width float64, holds func(x float64) bool) (float64, float64) {
	for high-low > width {
		if mid := (low + high) / 2; holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return low, high
}
