package pace

import (
	"math"
	"math/bits"

	"verbatim"
)

const (
	// imageTokens bounds the tokens of one image. The greatest known number is 48,169 (a
	// provider's small models, eight tiles).
	imageTokens = 50_000
	perMillion  = 1_000_000
)

// Cost returns the cost of a reply with this usage at this price, rounded up to a whole unit of
// Money. It is nil if the tokens of prompt or completion are unknown or negative, or if the price
// does not hold for so long a prompt. A price of 0 needs no token counts.
//
// Cached tokens are part of the prompt and cost Price.Cached if that is set; more than the prompt cannot
// be, and then the cost is nil too. If
// there are more reasoning tokens than completion tokens, the completion does not include them, and
// they are added.
func Cost(p verbatim.Price, u verbatim.Usage) *verbatim.Money {
	if p.Input == 0 && p.Output == 0 && p.Request == 0 && (p.Cached == nil || *p.Cached == 0) && p.UpTo == nil {
		return new(verbatim.Money)
	}
	if u.Prompt == nil || u.Completion == nil || *u.Prompt < 0 || *u.Completion < 0 || p.UpTo != nil && *u.Prompt > *p.UpTo || u.Cached != nil && *u.Cached > *u.Prompt {
		return nil
	}
	prompt, cached := *u.Prompt, int64(0)
	if p.Cached != nil && u.Cached != nil {
		cached = max(0, *u.Cached)
	}
	m := plus(priced(p.Input, prompt-cached), priced(p.Output, output(u)))
	if cached > 0 {
		m = plus(m, priced(*p.Cached, cached))
	}
	return new(plus(m, p.Request))
}

// output returns the tokens of a reply, reasoning included. If there are more reasoning tokens than
// completion tokens, the server counts the two separately.
func output(u verbatim.Usage) int64 {
	n := *u.Completion
	if u.Reasoning != nil && *u.Reasoning > n {
		n += *u.Reasoning
	}
	return n
}

// maxTokens is more than any prompt or reply has: no model's context is a tenth of it.
const maxTokens = 100_000_000

// Reservation returns the maximum cost of a request at this price, if the server obeys MaxTokens. It
// counts every byte of text as a token, 50,000 tokens for each image, and MaxTokens of output. No
// tokens are taken as cached. A request without MaxTokens has no maximum cost: then it is that of the
// prompt alone.
func Reservation(p verbatim.Price, r verbatim.Request) verbatim.Money {
	return plus(plus(priced(dearInput(p), promptBound(r.Prompt)), priced(p.Output, int64(max(0, r.MaxTokens)))), p.Request)
}

// dearInput returns the highest price of the prompt: some providers charge more for tokens that they
// write to the cache.
func dearInput(p verbatim.Price) verbatim.Money {
	if p.Cached != nil {
		return max(p.Input, *p.Cached)
	}
	return p.Input
}

// sum returns the price at which a reservation pays for the tokens of two models.
func sum(a, b verbatim.Price) verbatim.Price {
	return verbatim.Price{Input: plus(dearInput(a), dearInput(b)), Output: plus(a.Output, b.Output), Request: plus(a.Request, b.Request)}
}

// promptBound returns an upper bound of the tokens of a prompt: a token has at least one byte of
// text. The text that a chat template adds is not counted: it is less than the difference between
// bytes and tokens of texts of a hundred bytes and more.
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

// Batch returns the price of a request that is part of a batch; false if the factor for batches is
// unknown.
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
		p.Cached = new(times(*p.Cached))
	}
	p.Batch = nil
	return p, true
}

// priced returns the price of tokens at a price for a million, rounded up, at most the largest
// Money.
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

// plus adds amounts that are not negative. The sum is at most the largest Money.
func plus(a, b verbatim.Money) verbatim.Money {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}
