package wire

import (
	"fmt"
	"unicode/utf8"
)

// A size bounds one reply by the number of tokens that it may have.
type size struct {
	tokens int   // 0: there is no token limit
	text   int64 // bytes of the text; the reasoning may have as many in each of its places
}

const (
	bytesPerToken = 32
	leastText     = 1 << 20
	// unboundedText is the limit of a reply without a token limit.
	unboundedText = 16 << 20
)

// sizeOf returns the limit of a reply; most, where it is above 0, raises it.
func sizeOf(tokens int, most int64) size {
	s := size{tokens: max(0, tokens), text: unboundedText}
	if tokens > 0 {
		s.text = max(leastText, int64(tokens)*bytesPerToken+64<<10)
	}
	s.text = max(s.text, most)
	return s
}

// document bounds what is held of a reply before it is read: a document, or one event
// of a stream. JSON may take six bytes for one of the text.
func (s size) document() int64 { return 6*s.text + 1<<20 }

// body bounds all that is received. A stream wraps a token of a few bytes into
// several hundred, and is not held.
func (s size) body() int64 { return max(maxBody, 64*s.text) }

// A tooLargeError is a reply that is larger than it may be.
type tooLargeError struct {
	most int64
	size size
}

func (e tooLargeError) Error() string {
	limit := "the limit of a reply without a token limit"
	if e.size.tokens > 0 {
		limit = fmt.Sprintf("the limit for %d tokens", e.size.tokens)
	}
	return fmt.Sprintf("reply larger than %d bytes, %s; --max-reply raises it", e.most, limit)
}

// need reserves memory for n bytes that the reply takes now.
func (c *call) need(n int64) error {
	if c.reserved.Has(n) {
		return nil
	}
	if c.idle != nil {
		c.idle.Stop() // the server is not silent: it waits
		defer c.touch()
	}
	return c.reserved.Grow(c.ctx, n)
}

// holding checks the size of a document or an event that is being received.
func (c *call) holding(n int) error {
	if most := c.size.document(); int64(n) > most {
		return tooLargeError{most, c.size}
	}
	return c.need(3*int64(n) + c.words)
}

// holdsWords checks the size of the text and of all the reasoning so far.
func (c *call) holdsWords(content, thought int) error {
	if int64(content) > c.size.text || int64(thought) > thoughtSources*c.size.text {
		return tooLargeError{c.size.text, c.size}
	}
	c.words = 2 * int64(content+thought)
	return c.need(c.words)
}

const (
	partialHead = 4 << 10
	partialTail = 4 << 10
)

// shortened returns what is saved of a text that is no answer: all of a short one,
// the head and the tail of a long one.
func shortened(text string) string {
	if len(text) <= partialHead+partialTail+100 {
		return text
	}
	head, tail := partialHead, len(text)-partialTail
	for head > partialHead-utf8.UTFMax && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text)-partialTail+utf8.UTFMax && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], tail-head, text[tail:])
}
