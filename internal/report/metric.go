package report

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/earlier"
)

// A Metric is the number between 0 and 1 that the score column shows.
type Metric string

// The metrics. MetricScore, the default, is the score that the suite itself gives:
// SortBench's in its suite, exactness elsewhere.
const (
	MetricScore      Metric = "score"
	MetricExact      Metric = "exact"      // 1 if the whole reply is the expected answer, otherwise 0
	MetricExtracted  Metric = "extracted"  // 1 if the answer found in the reply is right, otherwise 0
	MetricSimilarity Metric = "similarity" // 1 minus the normalised edit distance
	MetricSortBench  Metric = "sortbench"  // SortBench score, in the normalisation of the item's edition
)

// Metrics lists the metrics, the default first.
func Metrics() []Metric {
	return []Metric{MetricScore, MetricExact, MetricExtracted, MetricSimilarity, MetricSortBench}
}

// ParseMetric reads the name of a metric, also one of an earlier version; empty is
// MetricScore.
func ParseMetric(s string) (Metric, error) {
	if s = earlier.Metric(s); s == "" {
		return MetricScore, nil
	}
	names := make([]string, 0, len(Metrics()))
	for _, m := range Metrics() {
		if s == string(m) {
			return m, nil
		}
		names = append(names, string(m))
	}
	if m, ok, err := parseTrialMetric(s); ok {
		return m, err
	}
	return "", fmt.Errorf("unknown metric %q; the metrics are %s, and over the trials of an item pass@K, all@K, all, majority", s, strings.Join(names, ", "))
}

// ParseAnswerMetric is ParseMetric for a metric of answers one by one, which a test needs that may
// stop after any answer.
func ParseAnswerMetric(s string) (Metric, error) {
	m, err := ParseMetric(s)
	if err == nil && m.OverTrials() {
		return "", fmt.Errorf("%s is over the trials of an item, and this command scores answers one by one; use it with run, report or compare", m)
	}
	return m, err
}

// String returns the words that head the column in prose.
func (m Metric) String() string {
	if m == MetricScore || m == "" {
		return "the suite's own"
	}
	return string(m)
}

// Score returns the score of an answer to the item, and false where it is undefined.
// Similarity and SortBench scores are among the measures of a grade, which must
// have been read.
func (m Metric) Score(item *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	if m.OverTrials() { // of one answer
		m = MetricExact
	}
	switch m {
	case MetricExact:
		return one(g.Exact), true
	case MetricExtracted:
		return one(g.Extracted), true
	case MetricSimilarity:
		if v, ok := g.Measures["similarity"]; ok {
			return v, true
		}
		return 1, g.Exact // an exact answer is not measured
	case MetricSortBench:
		return sortBench(item, g)
	}
	if g.Score == nil {
		return 0, false
	}
	return *g.Score, true
}

// sortBench is the SortBench score.
func sortBench(item *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	return SortBenchMeasure("sortbench", item, g)
}

// SortBenchMeasure picks the normalisation that the edition asks for; published
// scores come in one of their own. Measures that know no normalisation have one name.
func SortBenchMeasure(name string, item *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	key := name
	switch {
	case name == "faithfulness" || name == "validity":
	case g.Grader == "published":
		key = name + "_published"
	case verbatim.Edition(item.Facts[verbatim.FactEdition]) != verbatim.Reference:
		key = name + "_standard"
	}
	v, ok := g.Measures[key]
	return v, ok
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
