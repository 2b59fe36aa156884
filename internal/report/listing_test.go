package report

import (
	"bytes"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

func listing() *Listing {
	l := &Listing{Run: recordtest.Quick().Run(3), Ref: "3", Note: "simulated"}
	for _, n := range recordtest.Records() {
		for range 2 {
			l.Add(&n.Rec)
		}
	}
	return l
}

func TestGoldenListing(t *testing.T) {
	var out bytes.Buffer
	if err := ListingText(&out, listing(), terminal.Style{Database: "my runs.db"}); err != nil {
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
		if err := ListingText(&out, listing(), terminal.Style{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimSuffix(line, "\n"); terminal.Width(line) > width && !strings.Contains(line, "verbatim show") {
				t.Errorf("at %d columns a line of %d: %q", width, terminal.Width(line), line)
			}
		}
	}
}

// Labels of imported files may be anything, and as many as there are records.
func TestListingIsBounded(t *testing.T) {
	l := &Listing{}
	for i := range 10 * maxNames {
		rec := recordtest.TextRecord("a", "b", strings.Repeat("x", i+1), "")
		l.Add(&rec)
	}
	kinds := l.Kinds()
	var n int64
	for _, k := range kinds {
		n += k.N
		if len(k.First) > examples {
			t.Errorf("%d examples of %q", len(k.First), k.Label)
		}
	}
	if len(kinds) > maxNames+len(verbatim.Outcomes()) || n != l.Records || kinds[0].Label != others {
		t.Errorf("%d kinds of %d records, %d of them counted, the commonest %q", len(kinds), l.Records, n, kinds[0].Label)
	}
}
