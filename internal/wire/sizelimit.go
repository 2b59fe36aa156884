package wire

import (
	"fmt"
	"unicode/utf8"
)

// A sizeLimit is the limit on the bytes of one reply. It follows from its token limit.
type sizeLimit struct {
	tokens int   // 0: there is no token limit
	text   int64 // bytes of the text; the reasoning may have as many in each of its places
}

const (
	bytesPerToken = 32
	minText       = 1 << 20
	// unboundedText is the limit of a reply without a token limit.
	unboundedText = 16 << 20
)

// newSizeLimit returns the limit of a reply; atLeast raises it.
func newSizeLimit(tokens int, atLeast int64) sizeLimit {
	s := sizeLimit{tokens: max(0, tokens), text: unboundedText}
	if tokens > 0 {
		s.text = max(minText, int64(tokens)*bytesPerToken+64<<10)
	}
	s.text = max(s.text, atLeast)
	return s
}

// document returns the limit on what is held of a reply before it is read: a document, or
// one event of a stream. JSON may take six bytes for one of the text.
func (s sizeLimit) document() int64 { return 6*s.text + 1<<20 }

// body returns the limit on all bytes received. A stream takes several hundred bytes for a
// token, but is not held.
func (s sizeLimit) body() int64 { return max(maxBody, 64*s.text) }

// A tooLargeError is the error of a reply that is larger than its limit.
type tooLargeError struct {
	maxBytes int64
	limit    sizeLimit
}

func (e tooLargeError) Error() string {
	limit := "the limit of a reply without a token limit"
	if e.limit.tokens > 0 {
		limit = fmt.Sprintf("the limit for %d tokens", e.limit.tokens)
	}
	return fmt.Sprintf("reply larger than %d bytes, %s; --max-reply raises it", e.maxBytes, limit)
}

// reserve reserves memory for n bytes that the reply takes now.
func (c *call) reserve(n int64) error {
	if c.reserved.Has(n) {
		return nil
	}
	if c.idle != nil {
		c.idle.Stop() // the server is not silent: it waits
		defer c.touch()
	}
	return c.reserved.Grow(c.ctx, n)
}

// checkDocument checks the size of a document or an event that is being received.
func (c *call) checkDocument(n int) error {
	if most := c.size.document(); int64(n) > most {
		return tooLargeError{most, c.size}
	}
	return c.reserve(3*int64(n) + c.textBytes)
}

// checkText checks the size of the text and of all the reasoning so far.
func (c *call) checkText(content, thought int) error {
	if int64(content) > c.size.text || int64(thought) > reasoningPlaces*c.size.text {
		return tooLargeError{c.size.text, c.size}
	}
	c.textBytes = 2 * int64(content+thought)
	return c.reserve(c.textBytes)
}

const (
	partialHead = 4 << 10
	partialTail = 4 << 10
)

// headAndTail returns what is saved of a text that is no complete reply: all of a short one,
// the head and the tail of a long one.
func headAndTail(text string) string {
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
