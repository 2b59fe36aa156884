package run

import (
	"fmt"
	"sync"

	"verbatim"
	"verbatim/internal/store"
)

// A Shortening finds out whether an endpoint shortens long prompts: it answers what is left of them, and
// says so only in its count of prompt tokens. It knows the replies of one call of one run.
//
// A token holds from a quarter of a character to a dozen of them, by the tokenizer and by the text,
// and templates add tokens. So few things are evidence:
//   - A prompt has more than maxDensity characters per token. No tokenizer reaches that.
//   - Three prompts of different lengths have the same count, the highest of all. In the longest, a
//     token would hold more text than in any prompt with a lower count, or spread times as much as in
//     the shortest.
//
// From then on, each prompt with that count was shortened. Prompts that must have more tokens are not
// sent, and neither are those that are clearly longer than a shortened one of their family: texts of
// other families may have fewer tokens.
type Shortening struct {
	mu    sync.Mutex
	kept  int64   // the tokens that are left of a long prompt; 0: none was shortened
	least counted // the prompt with the lowest count
	top   int64   // the highest count
	// Of the prompts with the highest count: their shortest and greatest length, and how many
	// lengths they have, exact up to 3.
	shortest, longest, lengths int64
	// The densest prompts: of those with about the highest count, and of the others. level is the
	// count from which on a count is about the highest.
	near, other counted
	level       int64
	// cut has the length of the shortest prompt that was shortened, by family.
	cut map[string]int64
}

// A counted is the length of a prompt in characters, without those that varied leaves out, and its
// number of tokens.
type counted struct{ length, varied, tokens int64 }

const (
	maxDensity = 16  // characters per token; long words of a large vocabulary have up to 13
	leastKept  = 256 // tokens: no server holds fewer
	margin     = 1.25
	spread     = 6 // times: texts of one tokenizer differ less in their characters per token
)

// denser returns the one of two prompts with more characters per token. Long ones say more.
func (c counted) denser(d counted) counted {
	const few = leastKept / 4
	if d.length*(c.tokens+few) > c.length*(d.tokens+few) {
		return d
	}
	return c
}

// density returns the characters per token of the densest prompt, and of what it has more than the
// smallest one if that is more: the template adds tokens to both. 0: unknown, since all are short.
func (s *Shortening) density() float64 {
	o := s.other
	if o.tokens < s.top/8 || o.tokens <= s.least.tokens {
		return 0
	}
	return max(float64(o.length)/float64(o.tokens), float64(o.length-s.least.length)/float64(o.tokens-s.least.tokens))
}

// learn notes the count of a reply, and reports whether its prompt was shortened.
func (s *Shortening) learn(family string, c counted) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(c)
	if !s.shortened(c) {
		return false
	}
	if s.kept == 0 {
		s.kept = c.tokens
	}
	if s.cut == nil {
		s.cut = map[string]int64{}
	}
	if l, known := s.cut[family]; !known || c.length < l {
		s.cut[family] = c.length
	}
	return true
}

// note notes the count of a reply. s.mu is held.
func (s *Shortening) note(c counted) {
	if s.kept > 0 || s.shortened(c) {
		return
	}
	if s.least.tokens == 0 || c.tokens < s.least.tokens {
		s.least = c
	}
	switch {
	case 2*c.varied < c.length: // its tokens may be of any length
		return
	case c.tokens > s.top:
		if c.tokens > s.level+s.level/50 {
			s.other, s.near, s.level = s.other.denser(s.near), counted{}, c.tokens-c.tokens/100
		}
		s.top, s.shortest, s.longest, s.lengths = c.tokens, c.length, c.length, 1
	case c.tokens == s.top && c.length != s.shortest && c.length != s.longest:
		s.shortest, s.longest = min(s.shortest, c.length), max(s.longest, c.length)
		s.lengths++
	}
	if c.tokens >= s.level {
		s.near = s.near.denser(c)
	} else {
		s.other = s.other.denser(c)
	}
	dense := spread * float64(s.shortest)
	if d := s.density(); d > 0 {
		dense = min(dense, margin*max(float64(s.shortest), d*float64(s.top)))
	}
	// A count that is the same for all prompts says nothing.
	if s.lengths >= 3 && s.top >= leastKept && s.least.tokens < s.top && float64(s.longest) > dense {
		s.kept = s.top
	}
}

// shortened reports whether a prompt was shortened, by what is known. s.mu is held.
func (s *Shortening) shortened(c counted) bool {
	if s.kept > 0 && max(c.tokens-s.kept, s.kept-c.tokens) <= s.kept/200 {
		return true
	}
	// Some servers count only the tokens that they had not read before: far fewer than the most.
	return c.tokens >= leastKept && 2*c.tokens >= s.top && c.varied > maxDensity*c.tokens
}

// found reports whether a prompt was shortened.
func (s *Shortening) found() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept > 0
}

// tooLong reports whether the endpoint, which has shortened prompts, would shorten a prompt. It returns
// the tokens that would be left.
func (s *Shortening) tooLong(family string, c counted) (kept int64, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cut, known := s.cut[family]
	return s.kept, c.varied > maxDensity*s.kept || known && family != userItems && float64(c.length) > margin*float64(cut)
}

// userItems is the family of items of users that name none: their texts may be of any kind.
const userItems = "items"

// measure returns the lengths of a prompt, 0 if it has images. A character that is one of the last two
// again is not varied: one token may hold a hundred of these.
func measure(p verbatim.Prompt) (c counted) {
	for _, m := range p {
		for _, part := range m.Content {
			if part.Image != nil {
				return counted{}
			}
			var last, before rune
			for _, r := range part.Text {
				if c.length++; r != last && r != before {
					c.varied++
				}
				before, last = last, r
			}
		}
	}
	return c
}

// learn notes the prompt tokens of a reply. It returns the failure of a request whose prompt was
// shortened.
func (l *lane) learn(it *verbatim.Item, p verbatim.Prompt, u verbatim.Usage) *verbatim.Failure {
	c := measure(p)
	if u.Prompt == nil || *u.Prompt < 1 || c.length == 0 {
		return nil
	}
	if c.tokens = *u.Prompt; !l.Shortening.learn(it.Facts[verbatim.FactFamily], c) {
		return nil
	}
	return shortenedFailure(fmt.Errorf("the server counted %d tokens for a prompt of %d bytes: it read only a part", c.tokens, PromptBytes(p)))
}

func shortenedFailure(err error) *verbatim.Failure {
	return &verbatim.Failure{Class: verbatim.Shortened, Hint: "raise the context of the server, or use shorter lengths", Err: err}
}

// Refuse returns the failure of a request that the endpoint would shorten; nil for others, and for
// nil.
func (s *Shortening) Refuse(r *verbatim.Request) *verbatim.Failure {
	if s == nil || r.Item == nil || !s.found() {
		return nil
	}
	kept, is := s.tooLong(r.Item.Facts[verbatim.FactFamily], measure(r.Prompt))
	if !is {
		return nil
	}
	return shortenedFailure(fmt.Errorf("not sent: the endpoint has shortened long prompts to %d tokens, and this one has %d bytes", kept, PromptBytes(r.Prompt)))
}

// withdraw replaces the answers that were saved before it was known that the endpoint had shortened
// their prompts.
func (l *lane) withdraw() error {
	for l.Shortening.found() && l.e.abort.Err() == nil {
		var some []verbatim.Record // a few at a time: their prompts are long
		for rec, err := range l.e.Store.Records(l.e.abort, l.Run.N, store.Read{Texts: true, Attempts: true}) {
			if err != nil {
				return err
			}
			if rec.Reply == nil {
				continue
			}
			if f := l.learn(rec.Item, rec.Prompt, rec.Reply.Usage); f != nil {
				some = append(some, ungraded(rec, 1, f))
			}
			if len(some) == 32 {
				break
			}
		}
		for _, rec := range some {
			if l.asked.Has(rec.Seq) || l.collected.Has(rec.Seq) {
				l.again.Add(rec.Seq)
			}
			if err := l.hand(rec); err != nil {
				return err
			}
		}
		if len(some) == 0 || !l.settle() {
			return nil
		}
	}
	return nil
}
