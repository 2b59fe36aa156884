package wire

import (
	"errors"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/reasoning"
)

// errContentLimit ends the reading of a stream whose text is longer than an answer may be.
var errContentLimit = errors.New("the text is longer than the limit")

// ClosedByUs is the finish reason of a reply that was ended because its text, without
// reasoning, was longer than Request.ContentTokens allow.
const ClosedByUs = "closed: longer than an answer may be"

// A contentLimit is the limit on the text of a stream, without reasoning.
type contentLimit struct {
	tokens int // 0: no limit
	events int // with text, so far: each has a token or more
	from   int // where the answer begins, if it has begun
	begun  bool
	look   int // length of the text at which to look again for the end of reasoning
}

// exceeded counts an event that has brought text, and reports whether the text is too
// long now. Neither rule ends an answer that is exact: its events and its bytes are at
// most as many as the bytes of the expected text, of which tokens has one for each.
func (l *contentLimit) exceeded(text []byte, tags reasoning.Tags) bool {
	if l.tokens == 0 {
		return false
	}
	if !l.begun {
		if len(text) < l.look {
			return false
		}
		if l.from = reasoning.ContentStart(text, tags); l.from == len(text) {
			l.look = len(text) + len(text)/16 + 1 // each look reads the whole text
			return false
		}
		l.begun = true
	}
	l.events++
	return l.events > l.tokens || len(text)-l.from > l.tokens*verbatim.BytesPerToken
}

// end returns how much of a text that is too long is kept.
func (l *contentLimit) end(text []byte) int {
	end := l.from + l.tokens*verbatim.BytesPerToken
	if end >= len(text) {
		return len(text)
	}
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// endAtLimit ends a reply as the token limit would have done.
func (a *partialReply) endAtLimit() {
	a.text = a.text[:a.call.content.end(a.text)]
	a.reachedLimit = true
	a.finish = ClosedByUs
	a.meaningOf = func(string) finish.Meaning { return finish.Length }
}
