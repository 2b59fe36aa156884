package report

import (
	"fmt"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/stats"
	"verbatim/internal/verdict"
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

// ParseMetric reads the name of a metric. An empty name is MetricScore.
func ParseMetric(s string) (Metric, error) {
	if s == "" {
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

// ParseAnswerMetric is ParseMetric for tests that may stop after any answer. It rejects metrics over
// the trials of an item.
func ParseAnswerMetric(s string) (Metric, error) {
	m, err := ParseMetric(s)
	if err == nil && m.OverTrials() {
		return "", fmt.Errorf("%s is over the trials of an item, and this command scores answers one by one; use it with run, report or compare", m)
	}
	return m, err
}

// String returns the name of the metric in a sentence.
func (m Metric) String() string {
	if m == MetricScore || m == "" {
		return "the suite's own"
	}
	return string(m)
}

// Score returns the score of an answer to the item; ok is false if it is undefined. A metric over
// trials has the score of MetricExact. Similarity and SortBench scores need the measures of the
// grade.
func (m Metric) Score(item *verbatim.Item, g *verbatim.Grade) (score float64, ok bool) {
	if m.OverTrials() {
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
		return sortBenchMeasure("sortbench", item, g)
	}
	if g.Score == nil {
		return 0, false
	}
	return *g.Score, true
}

// sortBenchMeasure returns a measure of SortBench by its name, in the normalisation of the item's
// edition, or in that of published scores; ok is false if the grade does not have it. Faithfulness
// and validity have no normalisation.
func sortBenchMeasure(name string, item *verbatim.Item, g *verbatim.Grade) (value float64, ok bool) {
	key := name
	switch {
	case name == "faithfulness" || name == "validity":
	case g.Grader == "published":
		key = name + "_published"
	case verbatim.Edition(item.Facts[verbatim.FactEdition]) != verbatim.Reference:
		key = name + "_standard"
	}
	value, ok = g.Measures[key]
	return value, ok
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Metrics over the trials of an item. Each is a number for an item, from how many of its
// answers are exact. metricPassAt and metricAllAt have a number of trials behind them.
const (
	metricPassAt   Metric = "pass@"    // probability that one of K trials or more is exact
	metricAllAt    Metric = "all@"     // probability that all of K trials are exact
	metricAll      Metric = "all"      // 1 if all trials are exact, otherwise 0
	metricMajority Metric = "majority" // 1 if more than half of the trials are exact, otherwise 0
)

// TrialMetrics lists metrics over trials, with 2 trials as an example.
func TrialMetrics() []Metric {
	return []Metric{metricPassAt + "2", metricAllAt + "2", metricAll, metricMajority}
}

// parseTrialMetric reads a metric over trials; ok is false if s is another one.
func parseTrialMetric(s string) (m Metric, ok bool, err error) {
	if s == string(metricAll) || s == string(metricMajority) {
		return Metric(s), true, nil
	}
	for _, kind := range []Metric{metricPassAt, metricAllAt} {
		number, is := strings.CutPrefix(s, string(kind))
		if !is {
			continue
		}
		k, err := strconv.ParseInt(number, 10, 32)
		if err != nil || k < 1 {
			return "", true, fmt.Errorf("%q needs a number of trials from 1 on, such as %s2", s, kind)
		}
		return kind + Metric(strconv.FormatInt(k, 10)), true, nil
	}
	return "", false, nil
}

// trials splits a metric over trials into its kind and its number of trials, 0 for all. The kind of
// another metric is "".
func (m Metric) trials() (kind Metric, k int64) {
	for _, kind := range []Metric{metricPassAt, metricAllAt} {
		if number, ok := strings.CutPrefix(string(m), string(kind)); ok {
			k, _ := strconv.ParseInt(number, 10, 32) // as parseTrialMetric wrote it
			return kind, k
		}
	}
	if m == metricAll || m == metricMajority {
		return m, 0
	}
	return "", 0
}

// OverTrials reports whether the metric gives one score for all trials of an item.
func (m Metric) OverTrials() bool {
	kind, _ := m.trials()
	return kind != ""
}

// ItemScore returns the function that computes the score of an item from its answers; nil for a
// metric of one answer.
func (m Metric) ItemScore() verdict.ItemScoreFunc {
	kind, k := m.trials()
	switch kind {
	case metricPassAt:
		return func(right, answers int64, _ int) (float64, bool) {
			return stats.PassAtK(right, max(answers, k), k), answers >= k
		}
	case metricAllAt:
		return func(right, answers int64, _ int) (float64, bool) {
			return stats.AllAtK(right, max(answers, k), k), answers >= k
		}
	case metricAll:
		return func(right, answers int64, trials int) (float64, bool) {
			return one(right == answers), answers >= int64(trials)
		}
	case metricMajority:
		return func(right, answers int64, trials int) (float64, bool) {
			return one(2*right > answers), answers >= int64(trials)
		}
	}
	return nil
}

// CheckTrials rejects a metric over more trials than a run has, and one over all trials if the runs
// have different numbers of trials.
func (m Metric) CheckTrials(runs ...*verbatim.Run) error {
	kind, k := m.trials()
	if kind == "" {
		return nil
	}
	for _, r := range runs {
		trials := int64(max(r.Plan.Trials, 1))
		if k > trials {
			name := "this run"
			if r.Name != "" {
				name = "run " + r.Name
			}
			return errkind.Usagef(fmt.Sprintf("K can be at most %d here; more need a run with --trials %d", trials, k),
				"--metric %s needs %d trials of each item, but %s has %d", m, k, name, trials)
		}
		if first := int64(max(runs[0].Plan.Trials, 1)); k == 0 && trials != first {
			return errkind.Usagef("use pass@K or all@K with a number of trials that all runs have", "--metric %s is over all trials of an item, but run %s has %d and run %s has %d", m, runs[0].Name, first, r.Name, trials)
		}
	}
	return nil
}
