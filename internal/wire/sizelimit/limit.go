// Package sizelimit bounds the bytes of one reply. The limit follows from the token limit, so that
// a server that never stops fills no memory.
package sizelimit

import "fmt"

// A Limit is the limit on the bytes of one reply.
type Limit struct {
	Tokens int   // 0: there is no token limit
	Text   int64 // bytes of the text; the reasoning may have as many in each of its places
	// Logprobs is the bytes of JSON that log probabilities may take; 0: none are requested.
	Logprobs int64
}

const (
	bytesPerToken = 32
	minText       = 1 << 20
	// bytesPerLogprob is what a server writes for one alternative: token, bytes, number, id.
	bytesPerLogprob = 256
	// unboundedText is the limit of a reply without a token limit.
	unboundedText = 16 << 20
)

// MaxBody is the limit on the body of a response that is no reply, and on the framing of
// short ones: a stream takes several hundred bytes for a word.
const MaxBody = 64 << 20

// New returns the limit of a reply with so many alternatives for each token; atLeast raises
// the bytes of its text.
func New(tokens, alternatives int, atLeast int64) Limit {
	s := Limit{Tokens: max(0, tokens), Text: unboundedText}
	if tokens > 0 {
		s.Text = max(minText, int64(tokens)*bytesPerToken+64<<10)
	}
	s.Text = max(s.Text, atLeast)
	if alternatives > 0 {
		s.Logprobs = unboundedText
		if tokens > 0 {
			s.Logprobs = minText + int64(tokens)*int64(alternatives+1)*bytesPerLogprob
		}
	}
	return s
}

// Document returns the limit on what is held of a reply before it is read: a document, or
// one event of a stream. JSON may take six bytes for one of the text.
func (s Limit) Document() int64 { return 6*s.Text + 1<<20 + s.Logprobs }

// Body returns the limit on all bytes received. A stream takes several hundred bytes for a
// token, but is not held.
func (s Limit) Body() int64 { return max(MaxBody, 64*s.Text) + s.Logprobs }

// TooLarge is the error of a reply that is larger than its limit.
type TooLarge struct {
	MaxBytes int64
	Limit    Limit
}

// Error says what the limit is, and the flag that raises it.
func (e TooLarge) Error() string {
	limit := "the limit of a reply without a token limit"
	if e.Limit.Tokens > 0 {
		limit = fmt.Sprintf("the limit for %d tokens", e.Limit.Tokens)
	}
	return fmt.Sprintf("reply larger than %d bytes, %s; --max-reply raises it", e.MaxBytes, limit)
}
