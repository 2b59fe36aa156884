package extract_test

import (
	"testing"

	"verbatim/internal/grade/extract"
)

// TestFromForeign: digits of scripts beyond 16 bits count as those of others do.
func TestFromForeign(t *testing.T) {
	for foreign, want := range map[string]string{"٣٠": "30", "０９": "09", "𝟏𝟐": "12", "𞥓": "3", "4०x": "40", "": ""} {
		if got := extract.FromForeign(foreign); got != want {
			t.Errorf("%q is read as %q, want %q", foreign, got, want)
		}
	}
}
