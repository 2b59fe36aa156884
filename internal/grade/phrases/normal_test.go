package phrases

import (
	"testing"

	"pgregory.net/rapid"
)

// TestNormal wants the same from ASCII, which is the usual case, as from other texts.
func TestNormal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune(" \t\n\r\v\f\x00\x1c*#`\"_'aBz.:"))).Draw(t, "text")
		if a, b := Normal(text), normalAny(text); a != b {
			t.Errorf("%q: %q, and as another text %q", text, a, b)
		}
	})
}
