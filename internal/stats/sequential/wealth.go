package sequential

import (
	"fmt"
	"math"
)

// Wealth is what bets against the hypothesis H: mean ≤ m have come to, for
// numbers between -1 and 1 that arrive in random order. It starts at 1. Where H
// is true no bets can be expected to win, so that the probability that it is ever
// c or more is 1/c at most (Ville 1939), however often one looks: 2/alpha reached
// once rejects H at level alpha/2 for good. To bet against mean ≥ m, feed the
// negatives to a Wealth of -m.
//
// The bets are a mixture of sixteen constant shares of what can be staked, from 2
// to 99 percent, in geometric steps (Waudby-Smith and Ramdas 2024, Estimating
// means of bounded random variables by betting, JRSS B 86:1–27, sections 4 and 5:
// the hedge over a grid, and sampling without replacement). Nothing is assumed of
// the distribution, and nothing estimated, so that values which are all equal are
// evidence of ordinary weight and not a variance of 0.
//
// The mean is that of the population which the values are drawn from, or, in the
// finite form, the realised mean of n values drawn without replacement.
type Wealth struct {
	mean   float64 // m
	items  int     // n; 0: a population without end
	seen   int
	sum    float64
	stakes [16]float64 // what each share has come to
	value  float64
	max    float64
}

// shares are the parts of what can be staked that the mixture bets.
var shares = geometric(0.02, 0.99)

// geometric returns numbers from first to last of constant ratio.
func geometric(first, last float64) (f [16]float64) {
	for k := range f {
		f[k] = first * math.Pow(last/first, float64(k)/float64(len(f)-1))
	}
	return f
}

const (
	// rich bounds a stake, so that a product never overflows. No threshold of use
	// comes near it.
	rich = 1e100
	// hair is how near to -1 the mean of what is still unseen counts as -1: sums of
	// some thousand values are exact to less than that.
	hair = 1e-9
)

// NewWealth returns a Wealth of 1 against the hypothesis that the mean is m or
// less: that of n items in all, or, where n is 0, that of the population which
// the values are drawn from. It refuses an m that is not finite and an n below 0.
func NewWealth(m float64, n int) (*Wealth, error) {
	if math.IsNaN(m) || math.IsInf(m, 0) {
		return nil, fmt.Errorf("stats: a capital against a mean of %v", m)
	}
	if n < 0 {
		return nil, fmt.Errorf("stats: a capital over %d items", n)
	}
	c := newWealth(m, n)
	return &c, nil
}

// newWealth is NewWealth for arguments that are known to be good.
func newWealth(m float64, n int) Wealth {
	c := Wealth{mean: m, items: n, value: 1, max: 1}
	for k := range c.stakes {
		c.stakes[k] = 1
	}
	return c
}

// Add settles the bets on one block of values, all placed before the first of
// them was seen. A block holds one value, or one of every stratum of a design
// with equal strata: strata may differ in their means, because the product of the
// factors is expected to be at most what the mean of the strata gives (by the
// inequality of the arithmetic and the geometric mean). An empty block changes
// nothing.
//
// It refuses, with nothing changed, a value that is NaN or outside [-1, 1] (a
// *BadValue) and, in the finite form, more than n values in all.
func (c *Wealth) Add(block []float64) error {
	if err := checkRange(block); err != nil {
		return err
	}
	if c.items > 0 && c.seen+len(block) > c.items {
		return fmt.Errorf("stats: %d values after %d of %d", len(block), c.seen, c.items)
	}
	if len(block) > 0 {
		c.bet(block, block, 1)
	}
	return nil
}

// bet is Add of sign times each value, for a block that is known to be good. The
// bets are on played: the block itself, or as many values in its place whose mean is
// expected to be the same (see controlVariate).
func (c *Wealth) bet(block, played []float64, sign float64) {
	// What the mean of the unseen items would be if the mean of all were m.
	m := c.mean
	if c.items > 0 {
		m = (float64(c.items)*c.mean - c.sum) / float64(c.items-c.seen)
	}
	// No value is below -1: room is the most that one can fall short of m.
	room := 1 + m
	switch {
	case room < -hair:
		c.ruled()
	case room <= hair:
		// H holds only if every unseen value is -1.
		for _, x := range block {
			if sign*x > -1+hair {
				c.ruled()
				break
			}
		}
	case !math.IsInf(c.value, 1):
		total := 0.0
		for k, f := range shares {
			stake, share := c.stakes[k], f/room
			for _, x := range played {
				stake *= 1 + share*(sign*x-m)
			}
			stake = min(stake, rich)
			c.stakes[k] = stake
			total += stake
		}
		c.value = total / float64(len(shares))
	}
	for _, x := range block {
		c.sum += sign * x
	}
	c.seen += len(block)
	c.max = max(c.max, c.value)
}

// ruled notes that H has become arithmetically impossible.
func (c *Wealth) ruled() { c.value = math.Inf(1) }

// Value returns the capital after the last block, 1 before the first. It is +Inf
// from the block on that makes H arithmetically impossible.
func (c *Wealth) Value() float64 { return c.value }

// Max returns the greatest Value so far. It is what is compared with a threshold:
// what was rejected once stays rejected.
func (c *Wealth) Max() float64 { return c.max }
