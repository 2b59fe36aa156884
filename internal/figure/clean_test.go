package figure

import (
	"strings"
	"testing"
)

// A long alternative text is cut between two characters.
func TestSpokenIsCutBetweenCharacters(t *testing.T) {
	for _, before := range []string{"", "a"} {
		text := before + strings.Repeat("é", 2500)
		if got := spoken(text); !strings.HasPrefix(text, got) || len(got) < 3999 || len(got) > 4000 {
			t.Errorf("%d bytes that end with %q", len(got), got[len(got)-3:])
		}
	}
}
