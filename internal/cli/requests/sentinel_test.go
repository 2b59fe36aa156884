package requests

import (
	"strings"
	"testing"

	"verbatim/internal/cli/exit"
	"verbatim/internal/report/result"
)

// TestWatchCode: one alarm of a fleet is an alarm, whatever the others are.
func TestWatchCode(t *testing.T) {
	for _, c := range []struct {
		words string
		want  int
	}{{"quiet", exit.Done}, {"quiet,too few answers", exit.Undecided}, {"too few answers,alarm,quiet", exit.Worse}} {
		var list []*result.Watched
		for word := range strings.SplitSeq(c.words, ",") {
			list = append(list, &result.Watched{Word: word})
		}
		if got := watchCode(list); got != c.want {
			t.Errorf("%s: exit code %d, want %d", c.words, got, c.want)
		}
	}
}
