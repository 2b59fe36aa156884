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
		l := contentLimit{tokens: 10}
		got := 0
		for end := c.size; got == 0 && end <= len(c.text); end += c.size {
			if l.exceeded([]byte(c.text[:end]), reasoning.Tags{}) {
				got = end
			}
		}
		if got < c.want-20 || got > c.want+len(c.text)/16+20 || (got == 0) != (c.want == 0) {
			t.Errorf("%s: too long after %d bytes, want %d", c.name, got, c.want)
		}
	}
}
