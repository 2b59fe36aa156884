package nano

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"verbatim"
)

// A Sampling says how the next token is chosen. The zero Sampling is greedy: it takes the most
// probable token.
type Sampling struct {
	Temperature float64 // 0 is greedy
	// TopP is the probability of nucleus sampling: tokens are drawn from the most probable ones
	// that together reach it. 0 and 1 leave out none.
	TopP float64
	Seed uint64 // decides what is drawn
	// Logprobs is how many alternatives of each token are returned with their log
	// probabilities; 0: no log probabilities are returned.
	Logprobs int
}

// A chooser chooses the tokens of one answer.
type chooser struct {
	Sampling
	random *rand.Rand // nil: the choice is greedy
	left   []chance   // the tokens to draw from
	// described are the chosen tokens with their log probabilities, if these are requested.
	described []verbatim.Token
}

// A chance is a token that may be drawn, with its probability times a constant.
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

// choose returns the next token, and describes it if that is requested.
func (c *chooser) choose(logits []float32) token {
	t := c.pick(logits)
	if c.Logprobs > 0 {
		c.described = append(c.described, describe(logits, t, c.Logprobs))
	}
	return t
}

// describe returns a token with its log probability, and the n most probable tokens with theirs.
func describe(logits []float32, chosen token, n int) verbatim.Token {
	top := slices.Max(logits)
	sum := 0.0
	all := make([]token, len(logits))
	for t, logit := range logits {
		sum += math.Exp(float64(logit - top))
		all[t] = token(t)
	}
	slices.SortStableFunc(all, func(a, b token) int { return cmp.Compare(logits[b], logits[a]) })
	shift := float64(top) + math.Log(sum)
	one := func(t token) verbatim.Token {
		return verbatim.Token{Text: string(t.appendTo(nil)), Logprob: float64(logits[t]) - shift}
	}
	out := one(chosen)
	for _, t := range all[:min(n, len(all))] {
		out.Top = append(out.Top, one(t))
	}
	return out
}

// pick returns the next token: a drawn one, or with a greedy choice the most probable one, and of
// several the first.
func (c *chooser) pick(logits []float32) token {
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

// weigh lists the chances of all tokens, the most probable first.
func (c *chooser) weigh(logits []float32, top float32) {
	c.left = c.left[:0]
	for t, logit := range logits {
		c.left = append(c.left, chance{token(t), exp(float32(float64(logit-top) / c.Temperature))})
	}
	slices.SortStableFunc(c.left, func(a, b chance) int { return cmp.Compare(b.weight, a.weight) })
}

// nucleus leaves out the tokens outside TopP, and returns the sum of the weights of the others.
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

// draw returns a token with a probability of its share of the sum.
func (c *chooser) draw(sum float64) token {
	at := float64(c.random.Float64() * sum)
	for _, l := range c.left {
		if at -= float64(l.weight); at < 0 {
			return l.token
		}
	}
	return c.left[0].token // only by rounding
}
