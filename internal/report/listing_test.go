package report

import (
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

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
	if len(kinds) > maxNames+len(verbatim.Outcomes()) || n != l.Records || kinds[0].Label != Others {
		t.Errorf("%d kinds of %d records, %d of them counted, the commonest %q", len(kinds), l.Records, n, kinds[0].Label)
	}
}
