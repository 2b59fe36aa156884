package sequential

import (
	"fmt"
	"math"
)

// A Wealth is the wealth process (test martingale) of bets against the hypothesis H: mean
// ≤ m, for values between -1 and 1 that arrive in random order. It starts at 1. If H is
// true, the probability that it ever reaches c is at most 1/c (Ville 1939), at any number
// of looks. So a wealth of 2/alpha, reached once, rejects H at level alpha/2. To test mean
// ≥ m, add the negated values to a Wealth for -m.
//
// The bets are a mixture of sixteen constant fractions of the largest possible stake, from
// 2 to 99 percent in geometric steps (Waudby-Smith and Ramdas 2024, Estimating means of
// bounded random variables by betting, JRSS B 86:1–27, sections 4 and 5: hedge over a
// grid, and sampling without replacement). Nothing is assumed of the distribution and
// nothing is estimated. So equal values are ordinary evidence, not a variance of 0.
//
// The mean is that of the population, or in the finite form that of n values drawn without
// replacement.
type Wealth struct {
	mean   float64 // m
	items  int     // n; 0 for a population without end
	seen   int
	sum    float64
	stakes [16]float64 // wealth of each betting fraction
	value  float64
	max    float64
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
	// tolerance is how close to -1 the mean of the unseen items counts as -1. Sums of
	// some thousand values are more exact than that.
	tolerance = 1e-9
)

// NewWealth returns a Wealth of 1 against the hypothesis that the mean is m or less. n is
// the number of items in all, or 0 for a population without end. It rejects an m that is
// not finite and a negative n.
func NewWealth(m float64, n int) (*Wealth, error) {
	if math.IsNaN(m) || math.IsInf(m, 0) {
		return nil, fmt.Errorf("sequential: the mean must be finite, got %v", m)
	}
	if n < 0 {
		return nil, fmt.Errorf("sequential: the number of items must be 0 or more, got %d", n)
	}
	c := newWealth(m, n)
	return &c, nil
}

// newWealth is NewWealth for valid arguments.
func newWealth(m float64, n int) Wealth {
	c := Wealth{mean: m, items: n, value: 1, max: 1}
	for k := range c.stakes {
		c.stakes[k] = 1
	}
	return c
}

// Add settles the bets on one block of values. All bets of a block are placed before its
// first value is seen. A block has one value, or one of every stratum of a design with
// equal strata. Strata may differ in their means: the expected product of the factors is
// at most what the mean of the strata gives (inequality of arithmetic and geometric
// means). An empty block changes nothing.
//
// A value that is NaN or outside [-1, 1] gives a *BadValue, and in the finite form more
// than n values give an error. Neither changes anything.
func (c *Wealth) Add(block []float64) error {
	if err := checkRange(block); err != nil {
		return err
	}
	if c.items > 0 && c.seen+len(block) > c.items {
		return fmt.Errorf("sequential: %d values after %d of %d: too many", len(block), c.seen, c.items)
	}
	if len(block) > 0 {
		c.bet(block, block, 1)
	}
	return nil
}

// bet settles the bets on sign times each value of a valid block. The bets are on
// adjusted: the block itself, or as many values with the same expected mean (see
// controlVariate).
func (c *Wealth) bet(block, adjusted []float64, sign float64) {
	// The mean of the unseen items if the mean of all is m.
	m := c.mean
	if c.items > 0 {
		m = (float64(c.items)*c.mean - c.sum) / float64(c.items-c.seen)
	}
	// No value is below -1, so room is the largest possible loss of a unit bet.
	room := 1 + m
	switch {
	case room < -tolerance:
		c.ruleOut()
	case room <= tolerance:
		// H holds only if every unseen value is -1.
		for _, x := range block {
			if sign*x > -1+tolerance {
				c.ruleOut()
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

// ruleOut records that H is arithmetically impossible.
func (c *Wealth) ruleOut() { c.value = math.Inf(1) }

// Value returns the wealth after the last block, 1 before the first. It is +Inf once H is
// arithmetically impossible.
func (c *Wealth) Value() float64 { return c.value }

// Max returns the maximum of Value so far. Compare it with a threshold: a rejection stays
// a rejection.
func (c *Wealth) Max() float64 { return c.max }
