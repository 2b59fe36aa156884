package nano

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// A chooser chooses the tokens of one answer.
type chooser struct {
	Sampling
	random *rand.Rand // nil where the choice is greedy
	left   []chance
}

// A chance is a token that may be drawn, and its probability times some constant.
type chance struct {
	token  token
	weight float32
}

func newChooser(s Sampling) *chooser {
	c := &chooser{Sampling: s}
	if s.Temperature > 0 {
		c.random = rand.New(rand.NewPCG(s.Seed, 0))
	}
	return c
}

// choose returns the next token: the most probable one, and of several such ones
// the first, or one that is drawn.
func (c *chooser) choose(logits []float32) token {
	best := 0
	for t, logit := range logits {
		if logit > logits[best] {
			best = t
		}
	}
	if c.random == nil {
		return token(best)
	}
	c.weigh(logits, logits[best])
	return c.draw(c.nucleus())
}

// weigh lists the chances of all tokens, the best first.
func (c *chooser) weigh(logits []float32, top float32) {
	c.left = c.left[:0]
	for t, logit := range logits {
		c.left = append(c.left, chance{token(t), exp(float32(float64(logit-top) / c.Temperature))})
	}
	slices.SortStableFunc(c.left, func(a, b chance) int { return cmp.Compare(b.weight, a.weight) })
}

// nucleus leaves out the improbable tokens and returns the weight of the others.
func (c *chooser) nucleus() float64 {
	sum := 0.0
	for _, l := range c.left {
		sum += float64(l.weight)
	}
	if !(c.TopP > 0 && c.TopP < 1) {
		return sum
	}
	enough, reached := float64(sum*c.TopP), 0.0
	for i, l := range c.left {
		if reached += float64(l.weight); reached >= enough {
			c.left = c.left[:i+1]
			break
		}
	}
	return reached
}

// draw returns a token with the probability that its share of the sum gives it.
func (c *chooser) draw(sum float64) token {
	at := float64(c.random.Float64() * sum)
	for _, l := range c.left {
		if at -= float64(l.weight); at < 0 {
			return l.token
		}
	}
	return c.left[0].token // what rounding left over
}
