package sizelimit

import (
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/reasoning"
)

// A Content is the limit on a stream: on its text without reasoning, and on all of it.
type Content struct {
	Tokens int // of the text; 0: no limit
	Whole  int // of the reply, reasoning included, as the server was told
	events int // with text, so far: each has a token or more
	all    int // with text or reasoning
	from   int // where the answer begins, if it has begun
	begun  bool
	look   int // length of the text at which to look again for the end of reasoning
}

// Exceeded counts an event with text or reasoning, and reports whether the reply is too long.
func (l *Content) Exceeded(text []byte, thought int, moreText bool, tags reasoning.Tags) bool {
	if l.Tokens == 0 {
		return false
	}
	l.all++
	return l.ignored(len(text)+thought) || moreText && l.Tokens < l.Whole && l.textExceeded(text, tags)
}

// ignored reports whether the server ignores the token limit that was sent. One that obeys is
// left to end the reply itself, for its token counts and the connection: it may send a
// character an event, or many bytes a token, but not both, nor 16 bytes a token on average.
func (l *Content) ignored(bytes int) bool {
	most := l.Whole * verbatim.BytesPerToken
	return bytes > 4*most || l.all > l.Whole && bytes > most
}

// textExceeded is Exceeded for the text alone, where the server was told a higher limit.
// Neither rule ends an answer that is exact: its events and its bytes are at most as many as
// the bytes of the expected text, of which Tokens has one for each.
func (l *Content) textExceeded(text []byte, tags reasoning.Tags) bool {
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
	return l.events > l.Tokens || len(text)-l.from > l.Tokens*verbatim.BytesPerToken
}

// End returns how much of a text that is too long is kept.
func (l *Content) End(text []byte) int {
	end := l.Whole * verbatim.BytesPerToken
	if l.begun {
		end = l.from + l.Tokens*verbatim.BytesPerToken
	}
	end = min(end, len(text))
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}
