package change

import "math"

// blocks is the e-process against the null hypothesis that both sides answer a prompt with
// the same distribution of categories. A block is one reply of each side to one prompt.
// The distribution may differ from block to block: a change of load or time that meets
// both sides is no difference (Turner, Ly, Grünwald 2024, Generic E-variables for exact
// sequential k-sample tests that allow for optional stopping).
//
// Make one with NewBlocks. Its memory grows with the number of prompts and of their
// categories.
type blocks struct {
	logs    [len(blockBets)]float64 // logarithm of the wealth of each bet
	prompts map[int]*blockCounts
}

// blockBets are the shares of the wealth that are bet in each block.
var blockBets = [...]float64{.25, .5, .75, 1}

// blockCounts holds the replies to one prompt.
type blockCounts struct {
	a, b   map[string]int
	blocks int
}

// NewBlocks returns an e-process of value 1.
func NewBlocks() *blocks { return &blocks{prompts: map[int]*blockCounts{}} }

// Add settles the bets on a block: the categories of the replies of both sides to a prompt,
// which is given by any number of its own. It returns the factor by which a bet of the whole
// wealth multiplies it. The mean of the factor is at most 1 if the null hypothesis is true.
func (b *blocks) Add(prompt int, replyA, replyB string) float64 {
	c := b.prompts[prompt]
	if c == nil {
		c = &blockCounts{a: map[string]int{}, b: map[string]int{}}
		b.prompts[prompt] = c
	}
	ax, bx := c.predict(replyA)
	ay, by := c.predict(replyB)
	factor := ax * by / ((ax + bx) / 2 * (ay + by) / 2)
	for k, share := range blockBets {
		b.logs[k] += math.Log(1 - share + share*factor)
	}
	c.a[replyA]++
	c.b[replyB]++
	c.blocks++
	return factor
}

// Value returns the e-process after the last block, 1 before the first.
func (b *blocks) Value() float64 {
	sum := 0.0
	for _, l := range b.logs {
		sum += math.Exp(l)
	}
	return sum / float64(len(b.logs))
}

// predict returns the probability of a category on each side, estimated from the earlier
// blocks of the prompt. All categories that these blocks do not have count as one.
func (c *blockCounts) predict(category string) (onA, onB float64) {
	a, b, n := float64(c.a[category]), float64(c.b[category]), float64(c.blocks)
	seen := len(c.a)
	for v := range c.b {
		if _, ok := c.a[v]; !ok {
			seen++
		}
	}
	pool := (a + b + .5) / (2*n + .5*float64(seen+1))
	return (a + pool) / (n + 1), (b + pool) / (n + 1)
}
