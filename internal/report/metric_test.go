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
	value := func(m Metric) float64 {
		v := must(Of(Options{Metric: m}, Input{Records: recordtest.Each(r)}))(t).Runs[0].Total.Score.Value
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for m, want := range map[Metric]float64{"": 0.5, MetricScore: 0.5, MetricExact: 0, MetricExtracted: 1, MetricSimilarity: 0.25, MetricSortBench: 0.75} {
		if got := value(m); got != want {
			t.Errorf("on %q: %v, want %v", m, got, want)
		}
	}
	r.Item.Facts[verbatim.FactEdition] = "reference"
	if got := value(MetricSortBench); got != 0.125 {
		t.Errorf("on sortbench in the reference edition: %v", got)
	}
	r.Grade.Grader = "published"
	if got := value(MetricSortBench); got != 0.875 {
		t.Errorf("on sortbench of published scores: %v", got)
	}
	r.Grade.Measures, r.Grade.Score = nil, nil
	for _, m := range []Metric{MetricScore, MetricSimilarity, MetricSortBench} {
		if got := value(m); !math.IsNaN(got) {
			t.Errorf("on %q without a measure: %v", m, got)
		}
	}
	for _, m := range Metrics() {
		if got, err := ParseMetric(string(m)); err != nil || got != m {
			t.Errorf("ParseMetric(%q) = %q, %v", m, got, err)
		}
	}
	if _, err := ParseMetric("f1"); err == nil || !strings.Contains(err.Error(), "similarity") {
		t.Errorf("ParseMetric of an unknown name: %v", err)
	}
}
