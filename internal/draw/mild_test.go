package draw

import (
	"slices"
	"strings"
	"testing"
)

// TestMildWords wants each word once, no harsh one, and all others at their places.
func TestMildWords(t *testing.T) {
	mild, all := MildWords(), LetterWords()
	if mild.Len() != all.Len() {
		t.Fatalf("%d words, want %d", mild.Len(), all.Len())
	}
	seen, changed := make(map[string]bool, mild.Len()), 0
	for i := range mild.Len() {
		w := mild.At(i)
		if seen[w] || slices.Contains(harsh, w) || w == "" || strings.Trim(w, Lower) != "" {
			t.Errorf("word %d is %q", i, w)
		}
		seen[w] = true
		if w != all.At(i) {
			changed++
			if !slices.Contains(harsh, all.At(i)) {
				t.Errorf("%q was changed", all.At(i))
			}
		}
	}
	if changed < 100 {
		t.Errorf("only %d words were changed", changed)
	}
}
