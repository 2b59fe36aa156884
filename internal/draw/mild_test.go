package draw

import (
	"slices"
	"strings"
	"testing"
)

// TestMildWords wants each word once, no harsh one, and all others at their places.
func TestMildWords(t *testing.T) {
	mild, all := MildWords(), LetterWords()
	if len(mild) != len(all) {
		t.Fatalf("%d words, want %d", len(mild), len(all))
	}
	seen, changed := make(map[string]bool, len(mild)), 0
	for i, w := range mild {
		if seen[w] || slices.Contains(harsh, w) || w == "" || strings.Trim(w, Lower) != "" {
			t.Errorf("word %d is %q", i, w)
		}
		seen[w] = true
		if w != all[i] {
			changed++
			if !slices.Contains(harsh, all[i]) {
				t.Errorf("%q was changed", all[i])
			}
		}
	}
	if changed < 100 {
		t.Errorf("only %d words were changed", changed)
	}
}
