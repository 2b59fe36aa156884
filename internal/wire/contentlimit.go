package wire

import (
	"errors"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/finish"
	"verbatim/internal/reasoning"
)

// errContentLimit ends the reading of a stream that is longer than an answer may be.
var errContentLimit = errors.New("the text is longer than the limit")

// ClosedByUs is the finish reason of a reply that was ended because it was longer than
// Request.ContentTokens and Request.MaxTokens allow.
const ClosedByUs = "closed: longer than an answer may be"

// A contentLimit is the limit on a stream: on its text without reasoning, and on all of it.
type contentLimit struct {
	tokens int // of the text; 0: no limit
	whole  int // of the reply, reasoning included, as the server was told
	events int // with text, so far: each has a token or more
	all    int // with text or reasoning
	from   int // where the answer begins, if it has begun
	begun  bool
	look   int // length of the text at which to look again for the end of reasoning
}

// exceeded counts an event with text or reasoning, and reports whether the reply is too long.
func (l *contentLimit) exceeded(text []byte, thought int, moreText bool, tags reasoning.Tags) bool {
	if l.tokens == 0 {
		return false
	}
	l.all++
	return l.ignored(len(text)+thought) || moreText && l.tokens < l.whole && l.textExceeded(text, tags)
}

// ignored reports whether the server ignores the token limit that was sent. One that obeys is
// left to end the reply itself, for its token counts and the connection: it may send a
// character an event, or many bytes a token, but not both, nor 16 bytes a token on average.
func (l *contentLimit) ignored(bytes int) bool {
	most := l.whole * verbatim.BytesPerToken
	return bytes > 4*most || l.all > l.whole && bytes > most
}

// textExceeded is exceeded for the text alone, where the server was told a higher limit.
// Neither rule ends an answer that is exact: its events and its bytes are at most as many as
// the bytes of the expected text, of which tokens has one for each.
func (l *contentLimit) textExceeded(text []byte, tags reasoning.Tags) bool {
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
	end := l.whole * verbatim.BytesPerToken
	if l.begun {
		end = l.from + l.tokens*verbatim.BytesPerToken
	}
	end = min(end, len(text))
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
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
