package report

import (
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

// TestFirstErrors counts first errors by tenth, of the answers that are right up to it.
func TestFirstErrors(t *testing.T) {
	answer := func(outcome verbatim.Outcome, length string, right float64) verbatim.Record {
		r := recordtest.Record("copy-long", length, outcome, "corrupted")
		r.Grade.Grader, r.Grade.Measures = "text/3", map[string]float64{"lcp_share": right}
		if right < 0 {
			r.Grade.Measures = nil
		}
		return r
	}
	long := []verbatim.Record{
		answer(verbatim.Pass, "1000", 1), answer(verbatim.Wrapped, "4000", 1), answer(verbatim.Wrong, "1000", 0), answer(verbatim.Wrong, "1000", 0.05),
		answer(verbatim.Wrong, "4000", 0.35), answer(verbatim.Truncated, "1000", 0.999), answer(verbatim.Wrong, "1000", 1),
		answer(verbatim.Refused, "1000", 0), answer(verbatim.Wrong, "8", 0), recordtest.Record("copy-long", "1000", verbatim.Errored, ""),
	}
	of := func(recs ...verbatim.Record) []Rate {
		r, err := Of(Options{}, Input{Run: verbatim.Run{Name: "r", Model: "m"}, Records: recordtest.Each(recs...)})
		if err != nil {
			t.Fatal(err)
		}
		return r.Runs[0].Families[0].FirstErrors
	}
	got := of(long...)
	if len(got) != 10 {
		t.Fatalf("%+v", got)
	}
	for i, want := range [10][2]int64{{2, 7}, {0, 5}, {0, 5}, {1, 5}, {0, 4}, {0, 4}, {0, 4}, {0, 4}, {0, 4}, {2, 4}} {
		if got[i].N != want[0] || got[i].Of != want[1] {
			t.Errorf("tenth %d: %d of %d, want %d of %d", i+1, got[i].N, got[i].Of, want[0], want[1])
		}
	}
	if got := of(append(long, answer(verbatim.Wrong, "1000", -1))...); got != nil {
		t.Errorf("with an answer of which it is not known: %+v", got)
	}
	if got := of(answer(verbatim.Pass, "8", 1)); got != nil {
		t.Errorf("of short texts: %+v", got)
	}
}
