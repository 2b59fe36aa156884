package recordview

import (
	"slices"
	"testing"
)

// TestDetailTerms: terms in the details of failures are explained once each; other
// details need no explanation.
func TestDetailTerms(t *testing.T) {
	got := DetailTerms([]string{"ned 0.18 first error @12", "diverged", "ned 0.08", "prefix", "bold", "1 chars", ""})
	want := []string{"ned: normalized edit distance: 0 is equal, 1 entirely different", "diverged: what it wrote was wrong before that", "prefix: what it wrote was right so far"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
