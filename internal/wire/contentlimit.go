package wire

import (
	"errors"

	"verbatim/internal/finish"
)

// errContentLimit ends the reading of a stream that is longer than an answer may be.
var errContentLimit = errors.New("the text is longer than the limit")

// ClosedByUs is the finish reason of a reply that was ended because it was longer than
// Request.ContentTokens and Request.MaxTokens allow.
const ClosedByUs = "closed: longer than an answer may be"

// endAtLimit ends a reply as the token limit would have done.
func (a *partialReply) endAtLimit() {
	a.text = a.text[:a.call.content.End(a.text)]
	a.reachedLimit = true
	a.finish = ClosedByUs
	a.meaningOf = func(string) finish.Meaning { return finish.Length }
}
