package wire

import "fmt"

// A Limit is the limit on the bytes of one reply.
type sizeLimit struct {
	Tokens int   // the token limit; 0: none
	Text   int64 // bytes of the text; reasoning may have as many in each of its places
	// Logprobs is the bytes of JSON that log probabilities may take; 0: none are requested.
	Logprobs int64
}

const (
	bytesPerToken = 32
	minText       = 1 << 20
	// bytesPerLogprob is a bound for one alternative: its token, bytes, number and id.
	bytesPerLogprob = 256
	// unboundedText is the limit of a reply without a token limit.
	unboundedText = 16 << 20
)

// maxBody is the limit in bytes on the body of a response that is no reply. The limit on the
// body of a reply is at least as high: a stream takes several hundred bytes for a word.
const maxBody = 64 << 20

// newSizeLimit returns the limit of a reply with a token limit, 0 for none, and a number of
// alternatives for each token. Its text may have atLeast bytes, whatever the token limit.
func newSizeLimit(tokens, alternatives int, atLeast int64) sizeLimit {
	s := sizeLimit{Tokens: max(0, tokens), Text: unboundedText}
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

// Document returns the limit on the bytes of a document or of one event of a stream, which are
// in memory before they are read. JSON may take six bytes for one byte of text.
func (s sizeLimit) document() int64 { return 6*s.Text + 1<<20 + s.Logprobs }

// Body returns the limit on all bytes received. A stream takes several hundred bytes for a
// token, but is not in memory as a whole.
func (s sizeLimit) Body() int64 { return max(maxBody, 64*s.Text) + s.Logprobs }

// TooLarge is the error of a reply that is larger than its limit.
type TooLarge struct {
	MaxBytes int64
	Limit    sizeLimit
}

// Error returns the limit, what it follows from, and the flag that raises it.
func (e TooLarge) Error() string {
	limit := "the limit of a reply without a token limit"
	if e.Limit.Tokens > 0 {
		limit = fmt.Sprintf("the limit for %d tokens", e.Limit.Tokens)
	}
	return fmt.Sprintf("reply larger than %d bytes, %s; --max-reply raises it", e.MaxBytes, limit)
}
