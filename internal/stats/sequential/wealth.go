package sequential

import "math"

// A wealth is the wealth process (test martingale) of bets against the hypothesis H: mean
// ≤ m, for values between -1 and 1 that arrive in random order. It starts at 1. If H is
// true, the probability that it ever reaches c is at most 1/c (Ville 1939), at any number
// of looks. So a wealth of 2/alpha, reached once, rejects H at level alpha/2. To test mean
// ≥ m, bet with sign -1 on a wealth for -m.
//
// The bets are a mixture of sixteen constant fractions of the largest possible stake, from
// 2 to 99 percent in geometric steps (Waudby-Smith and Ramdas 2024, Estimating means of
// bounded random variables by betting, JRSS B 86:1–27, sections 4 and 5: hedge over a
// grid, and sampling without replacement). Nothing is assumed of the distribution and
// nothing is estimated. So equal values are ordinary evidence, not a variance of 0.
//
// The mean is that of the population, or in the finite form that of n values drawn without
// replacement.
type wealth struct {
	mean   float64 // m
	items  int     // n; 0 for a population without end
	seen   int
	sum    float64     // of the values seen
	stakes [16]float64 // wealth of each betting fraction
	value  float64     // after the last block; +Inf once H is arithmetically impossible
	max    float64     // of value so far: a rejection stays a rejection
}

// bettingFractions are the fractions of the largest stake that the mixture bets.
var bettingFractions = geometric(0.02, 0.99)

// geometric returns numbers from first to last with a constant ratio.
func geometric(first, last float64) (f [16]float64) {
	for k := range f {
		f[k] = first * math.Pow(last/first, float64(k)/float64(len(f)-1))
	}
	return f
}

const (
	// maxStake bounds a stake, so that products never overflow. It is far above any
	// threshold in use.
	maxStake = 1e100
	// tolerance is the distance from -1 within which the mean of the unseen items counts
	// as -1. Sums of some thousand values are more exact than that.
	tolerance = 1e-9
)

// newWealth returns a wealth of 1 against the hypothesis that the mean is m or less, for n
// items in all, or for a population without end if n is 0.
func newWealth(m float64, n int) wealth {
	c := wealth{mean: m, items: n, value: 1, max: 1}
	for k := range c.stakes {
		c.stakes[k] = 1
	}
	return c
}

// bet settles the bets on sign times each value of a valid block. All bets of a block are
// placed before its first value is seen. The bets are on adjusted: the block itself, or as
// many values with the same expected mean (see controlVariate).
func (c *wealth) bet(block, adjusted []float64, sign float64) {
	// The mean of the unseen items if the mean of all is m.
	m := c.mean
	if c.items > 0 {
		m = (float64(c.items)*c.mean - c.sum) / float64(c.items-c.seen)
	}
	// No value is below -1, so room is the largest possible loss of a unit bet.
	room := 1 + m
	switch {
	case room < -tolerance:
		c.value = math.Inf(1) // H is impossible
	case room <= tolerance:
		// H is possible only if every unseen value is -1.
		for _, x := range block {
			if sign*x > -1+tolerance {
				c.value = math.Inf(1)
				break
			}
		}
	case !math.IsInf(c.value, 1):
		total := 0.0
		for k, f := range bettingFractions {
			stake, share := c.stakes[k], f/room
			for _, x := range adjusted {
				stake *= 1 + share*(sign*x-m)
			}
			stake = min(stake, maxStake)
			c.stakes[k] = stake
			total += stake
		}
		c.value = total / float64(len(bettingFractions))
	}
	for _, x := range block {
		c.sum += sign * x
	}
	c.seen += len(block)
	c.max = max(c.max, c.value)
}
