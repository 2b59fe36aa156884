package layout

import (
	"bytes"
	"strings"
	"testing"

	"verbatim/internal/recordtest"
	"verbatim/internal/report"

	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

func listing() *report.Listing {
	l := &report.Listing{Run: recordtest.Quick().Run(3), Ref: "3", Note: "simulated"}
	for _, n := range recordtest.Records() {
		for range 2 {
			l.Add(&n.Rec)
		}
	}
	return l
}

func TestGoldenListing(t *testing.T) {
	var out bytes.Buffer
	if err := ListingText(&out, listing(), Options{Program: terminal.ShellProgram{Database: "my runs.db"}}, terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if bad := terminaltest.Unsafe(out.String()); bad != "" {
		t.Errorf("a listing lets %s through", bad)
	}
	terminaltest.Golden(t, *update, "listing-80.txt", out.Bytes())
}

// Commands are whole, so that they can be copied; all else fits.
func TestListingFits(t *testing.T) {
	for width := 40; width <= 200; width += 5 {
		var out bytes.Buffer
		if err := ListingText(&out, listing(), Options{}, terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); terminal.Width(line) > width && !strings.Contains(line, "verbatim show") {
				t.Errorf("at %d columns a line of %d: %q", width, terminal.Width(line), line)
			}
		}
	}
}
