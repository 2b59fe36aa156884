package cli

import (
	"strings"
	"testing"

	"verbatim/internal/report"
)

// TestWatchCode: one alarm of a fleet is an alarm, whatever the others are.
func TestWatchCode(t *testing.T) {
	for _, c := range []struct {
		words string
		want  int
	}{{"quiet", exitDone}, {"quiet,too few answers", Undecided}, {"too few answers,alarm,quiet", Worse}} {
		var list []*report.Watched
		for word := range strings.SplitSeq(c.words, ",") {
			list = append(list, &report.Watched{Word: word})
		}
		if got := watchCode(list); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.words, got, c.want)
		}
	}
}
