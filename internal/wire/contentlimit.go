package wire

import (
	"errors"
	"unicode/utf8"

	"verbatim/internal/finish"
	"verbatim/internal/reasoning"
)

// errContentLimit ends the reading of a stream whose text is longer than an answer may be.
var errContentLimit = errors.New("the text is longer than the limit")

// ClosedByUs is the finish reason of a reply that was ended because its text, without
// reasoning, was longer than Request.ContentTokens allow.
const ClosedByUs = "closed: longer than an answer may be"

// contentEnd returns how much of a text is kept: all of it, or up to the limit.
func (c *call) contentEnd(text []byte) int {
	if c.content == 0 || len(text) <= c.content {
		return len(text)
	}
	end := reasoning.ContentStart(text, c.e.Tags) + c.content
	if end >= len(text) {
		return len(text)
	}
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// endAtLimit ends a reply as the token limit would have done.
func (a *partialReply) endAtLimit(end int) {
	a.text = a.text[:end]
	a.reachedLimit = true
	a.finish = ClosedByUs
	a.meaningOf = func(string) finish.Meaning { return finish.Length }
}
