package report

import (
	"math"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

func TestScoreColumns(t *testing.T) {
	r := recordtest.Record("sort", "4", verbatim.Wrapped, "wrapped")
	half := 0.5
	r.Grade.Score = &half
	r.Grade.Measures = map[string]float64{"similarity": 0.25, "sortbench": 0.125, "sortbench_standard": 0.75, "sortbench_published": 0.875}
	r.Item.Facts[verbatim.FactEdition] = "standard"
	value := func(on On) float64 {
		v := must(Of(Options{On: on}, Input{Records: recordtest.Each(r)}))(t).Runs[0].Total.Score.Value
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for on, want := range map[On]float64{"": 0.5, OnScore: 0.5, OnExact: 0, OnPayload: 1, OnSimilarity: 0.25, OnSortBench: 0.75} {
		if got := value(on); got != want {
			t.Errorf("on %q: %v, want %v", on, got, want)
		}
	}
	r.Item.Facts[verbatim.FactEdition] = "reference"
	if got := value(OnSortBench); got != 0.125 {
		t.Errorf("on sortbench in the reference edition: %v", got)
	}
	r.Grade.Grader = "published"
	if got := value(OnSortBench); got != 0.875 {
		t.Errorf("on sortbench of published scores: %v", got)
	}
	r.Grade.Measures, r.Grade.Score = nil, nil
	for _, on := range []On{OnScore, OnSimilarity, OnSortBench} {
		if got := value(on); !math.IsNaN(got) {
			t.Errorf("on %q without a measure: %v", on, got)
		}
	}
	for _, on := range Ons() {
		if got, err := ParseOn(string(on)); err != nil || got != on {
			t.Errorf("ParseOn(%q) = %q, %v", on, got, err)
		}
	}
	if _, err := ParseOn("f1"); err == nil || !strings.Contains(err.Error(), "similarity") {
		t.Errorf("ParseOn of an unknown name: %v", err)
	}
}
