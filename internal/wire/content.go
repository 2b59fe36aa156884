package wire

import (
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/reasoning"
)

// A Content limits a stream: its text without reasoning, and all of it.
type limitedContent struct {
	Tokens int // limit on the text; 0: no limit
	Whole  int // the token limit that was sent: text and reasoning

	events int  // number of events with text: each has a token or more
	all    int  // number of events with text or reasoning
	begun  bool // the answer has begun
	from   int  // where in the text the answer begins, if it has begun
	look   int  // length of the text at which to look again for the end of reasoning
}

// Exceeded counts an event with text or reasoning, and reports whether the reply is too long.
// text is the whole text so far, thought the number of bytes of reasoning in a field of its
// own, and moreText says whether the event has text. tags are around reasoning in the text.
func (l *limitedContent) exceeded(text []byte, thought int, moreText bool, tags reasoning.Tags) bool {
	if l.Tokens == 0 {
		return false
	}
	l.all++
	return l.ignored(len(text)+thought) || moreText && l.Tokens < l.Whole && l.textExceeded(text, tags)
}

// ignored reports whether the server ignores the token limit that was sent. A server that
// obeys it ends the reply itself, which gives token counts and keeps the connection. It may
// send one character per event, or many bytes per token, but not both, and never more than 16
// bytes per token on average.
func (l *limitedContent) ignored(bytes int) bool {
	limit := l.Whole * verbatim.BytesPerToken
	return bytes > 4*limit || l.all > l.Whole && bytes > limit
}

// textExceeded reports whether the text is too long, where the limit that was sent is higher. No
// exact answer exceeds it: such an answer has at most as many events and bytes as the expected
// text has bytes, and Tokens is at least that number.
func (l *limitedContent) textExceeded(text []byte, tags reasoning.Tags) bool {
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

// End returns how many bytes are saved of a text that is too long: whole characters.
func (l *limitedContent) End(text []byte) int {
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
