package wire

import (
	"strings"
	"testing"

	"verbatim/internal/reasoning"
)

// TestContentLimitCounts feeds texts in events of several sizes.
func TestContentLimitCounts(t *testing.T) {
	thought := "<think>" + strings.Repeat("hm ", 2000) + "</think>"
	for _, c := range []struct {
		name, text string
		size       int // bytes of an event
		want       int // bytes after which the text is too long; 0: it is not
	}{
		{"a digit an event", strings.Repeat("7", 100), 1, 11},
		{"ten events", strings.Repeat("7", 10), 1, 0},
		{"many bytes an event", strings.Repeat("abcd", 20), 20, 60},
		{"reasoning does not count", thought + "abcd", 3, 0},
		{"what follows does", thought + strings.Repeat("abcd", 200), 20, 6080},
		{"an opening tag in pieces", "<think>" + strings.Repeat("a", 100), 1, 0},
	} {
		l := limitedContent{Tokens: 10, Whole: 10_000}
		got := 0
		for end := c.size; got == 0 && end <= len(c.text); end += c.size {
			if l.exceeded([]byte(c.text[:end]), 0, true, reasoning.Tags{}) {
				got = end
			}
		}
		if got < c.want-20 || got > c.want+len(c.text)/16+20 || (got == 0) != (c.want == 0) {
			t.Errorf("%s: too long after %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// TestIgnoredLimit feeds replies of servers that obey the token limit, which end by
// themselves, and of servers that ignore it.
func TestIgnoredLimit(t *testing.T) {
	const limit = 10
	for _, c := range []struct {
		name   string
		events int
		size   int // bytes of an event
		closed bool
	}{
		{"long tokens", limit, 12, false},
		{"a character an event", 4 * limit, 1, false},
		{"many tokens an event", 2, 60, false},
		{"a token more than the limit", limit + 1, 5, true},
		{"digits", 4*limit + 1, 1, true},
		{"all in one event", 1, 16*limit + 1, true},
	} {
		for _, thinks := range []bool{false, true} {
			l, closed := limitedContent{Tokens: limit, Whole: limit}, false
			for n := 1; n <= c.events; n++ {
				text, thought := strings.Repeat("7", n*c.size), 0
				if thinks {
					text, thought = "", len(text)
				}
				closed = l.exceeded([]byte(text), thought, !thinks, reasoning.Tags{})
			}
			if closed != c.closed {
				t.Errorf("%s, reasoning %t: closed %t, want %t", c.name, thinks, closed, c.closed)
			}
		}
	}
}
