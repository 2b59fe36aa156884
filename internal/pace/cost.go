package pace

import (
	"math"
	"math/bits"

	"verbatim"
)

// A token of any tokenizer in use is at least one byte of text. What a chat
// template puts around messages is less than what texts of a hundred bytes and
// more have in hand, and is not counted. The most that a provider is known to
// count for one image are 48,169 tokens (its small models, eight tiles).
const (
	imageTokens = 50_000
	perMillion  = 1_000_000
)

// Cost returns what a reply of this usage costs at this price, rounded up to a
// whole unit of Money; nil where the tokens of prompt or completion are not
// known, or the price does not hold for so many. Cached tokens are part of the prompt and cost Price.Cached where there
// is such a price; more of them than the prompt has are taken as all of it.
// Negative numbers are no numbers: nil. More reasoning than completion is counted on
// top of it. A price of nothing for any number of tokens needs none of them.
func Cost(p verbatim.Price, u verbatim.Usage) *verbatim.Money {
	if p.Input == 0 && p.Output == 0 && p.Request == 0 && (p.Cached == nil || *p.Cached == 0) && p.UpTo == nil {
		return new(verbatim.Money)
	}
	if u.Prompt == nil || u.Completion == nil || *u.Prompt < 0 || *u.Completion < 0 || p.UpTo != nil && *u.Prompt > *p.UpTo {
		return nil
	}
	prompt, cached := *u.Prompt, int64(0)
	if p.Cached != nil && u.Cached != nil {
		cached = min(max(0, *u.Cached), prompt)
	}
	m := plus(priced(p.Input, prompt-cached), priced(p.Output, output(u)))
	if cached > 0 {
		m = plus(m, priced(*p.Cached, cached))
	}
	m = plus(m, p.Request)
	return &m
}

// output returns the tokens of a reply. More reasoning than completion means that the
// server counts the two apart.
func output(u verbatim.Usage) int64 {
	n := *u.Completion
	if u.Reasoning != nil && *u.Reasoning > n && *u.Reasoning <= mostTokens {
		n += *u.Reasoning
	}
	return n
}

// mostTokens is more than a prompt or a reply can have: no model's context is a
// tenth of it.
const mostTokens = 100_000_000

// Reservation returns the most that a request can cost at this price where the
// server honours MaxTokens: every byte of text as a token, 50,000 tokens for each
// image, and MaxTokens of output. It takes nothing to be cached. A request without MaxTokens has no
// such bound; what is returned then is for the prompt alone.
func Reservation(p verbatim.Price, r verbatim.Request) verbatim.Money {
	input := p.Input
	if p.Cached != nil { // some providers charge more for what they put into the cache
		input = max(input, *p.Cached)
	}
	return plus(plus(priced(input, promptBound(r.Prompt)), priced(p.Output, int64(max(0, r.MaxTokens)))), p.Request)
}

// promptBound returns the most tokens that a prompt can have.
func promptBound(p verbatim.Prompt) int64 {
	n := int64(0)
	for _, m := range p {
		for _, part := range m.Content {
			n += int64(len(part.Text))
			if part.Image != nil {
				n += imageTokens
			}
		}
	}
	return n
}

// Batch returns the price of a request that is part of a batch; false where it
// is not known what a batch multiplies the price by.
func Batch(p verbatim.Price) (verbatim.Price, bool) {
	if p.Batch == nil || !(*p.Batch >= 0) || *p.Batch > 1000 {
		return verbatim.Price{}, false
	}
	times := func(m verbatim.Money) verbatim.Money {
		f := math.Ceil(float64(m) * *p.Batch)
		if f >= math.MaxInt64 {
			return math.MaxInt64
		}
		return verbatim.Money(f)
	}
	p.Input, p.Output, p.Request = times(p.Input), times(p.Output), times(p.Request)
	if p.Cached != nil {
		c := times(*p.Cached)
		p.Cached = &c
	}
	p.Batch = nil
	return p, true
}

// priced returns the price of tokens at so much for a million, rounded up. What
// is too large for Money is the largest Money.
func priced(million verbatim.Money, tokens int64) verbatim.Money {
	if million <= 0 || tokens <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(million), uint64(tokens))
	lo, carry := bits.Add64(lo, perMillion-1, 0)
	hi += carry
	if hi >= perMillion {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, perMillion)
	return verbatim.Money(min(q, math.MaxInt64))
}

// plus adds amounts that are not negative, up to the largest Money.
func plus(a, b verbatim.Money) verbatim.Money {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}
