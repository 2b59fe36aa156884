package paper

import (
	"strings"
	"testing"

	"verbatim/internal/terminal"
)

// Headings are bold on a terminal: their sequences pass its Filter.
func TestBoldPassesFilter(t *testing.T) {
	var b strings.Builder
	flush := terminal.NewSeal()
	filter := terminal.NewFilter(&b, flush)
	if err := Formats()[0].Write(filter, &Document{Title: "A study"}, terminal.Style{Color: true, Seal: flush}); err != nil {
		t.Fatal(err)
	}
	if err := filter.Flush(); err != nil || !strings.HasPrefix(b.String(), "\x1b[1mA study\x1b[m\n") {
		t.Errorf("%q %v", b.String(), err)
	}
}
