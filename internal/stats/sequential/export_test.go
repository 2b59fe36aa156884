package sequential

// Wealth lets tests place bets one block at a time.
type Wealth = wealth

// NewWealth returns a Wealth of 1 against the hypothesis that the mean is m or less.
func NewWealth(m float64, n int) *Wealth {
	c := newWealth(m, n)
	return &c
}

// Add settles the bets on one block of values.
func (c *wealth) Add(block []float64) { c.bet(block, block, 1) }

// Value returns the wealth after the last block.
func (c *wealth) Value() float64 { return c.value }

// Max returns the maximum of Value so far.
func (c *wealth) Max() float64 { return c.max }
