package page

import (
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/figure"
)

// TestPalette wants the colours of the page to be those of all charts.
func TestPalette(t *testing.T) {
	for i, c := range figure.Palette() {
		for _, want := range []string{fmt.Sprintf("--m%d: %s;", i, c.Light), fmt.Sprintf("--m%d: light-dark(%s, %s);", i, c.Light, c.Dark)} {
			if !strings.Contains(pageStyle, want) {
				t.Errorf("page.css has no %s", want)
			}
		}
	}
}
