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

// Metrics over the trials of an item. Each is a number for an item, from how many of its
// answers are exact. MetricPassAt and MetricAllAt have a number of trials behind them.
const (
	MetricPassAt   Metric = "pass@"    // probability that one of K trials or more is exact
	MetricAllAt    Metric = "all@"     // probability that all of K trials are exact
	MetricAll      Metric = "all"      // 1 if all trials are exact, otherwise 0
	MetricMajority Metric = "majority" // 1 if more than half of the trials are exact, otherwise 0
)

// TrialMetrics lists metrics over trials, with 2 trials as an example.
func TrialMetrics() []Metric {
	return []Metric{MetricPassAt + "2", MetricAllAt + "2", MetricAll, MetricMajority}
}

// parseTrialMetric reads a metric over trials; ok is false for another one.
func parseTrialMetric(s string) (m Metric, ok bool, err error) {
	if s == string(MetricAll) || s == string(MetricMajority) {
		return Metric(s), true, nil
	}
	for _, kind := range []Metric{MetricPassAt, MetricAllAt} {
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

// trials splits a metric over trials into its kind and its number of trials; 0 for all.
func (m Metric) trials() (kind Metric, k int64) {
	for _, kind := range []Metric{MetricPassAt, MetricAllAt} {
		if number, ok := strings.CutPrefix(string(m), string(kind)); ok {
			k, _ := strconv.ParseInt(number, 10, 32) // as parseTrialMetric wrote it
			return kind, k
		}
	}
	if m == MetricAll || m == MetricMajority {
		return m, 0
	}
	return "", 0
}

// OverTrials reports whether the metric is a number for all trials of an item.
func (m Metric) OverTrials() bool {
	kind, _ := m.trials()
	return kind != ""
}

// ItemScore returns the score of an item from its answers; nil for a metric of one
// answer.
func (m Metric) ItemScore() verdict.ItemScoreFunc {
	kind, k := m.trials()
	switch kind {
	case MetricPassAt:
		return func(right, answers int64, _ int) (float64, bool) {
			return stats.PassAtK(right, max(answers, k), k), answers >= k
		}
	case MetricAllAt:
		return func(right, answers int64, _ int) (float64, bool) {
			return stats.AllAtK(right, max(answers, k), k), answers >= k
		}
	case MetricAll:
		return func(right, answers int64, trials int) (float64, bool) {
			return one(right == answers), answers >= int64(trials)
		}
	case MetricMajority:
		return func(right, answers int64, trials int) (float64, bool) {
			return one(2*right > answers), answers >= int64(trials)
		}
	}
	return nil
}

// CheckTrials refuses a metric over more trials than a run has, or over all trials of runs
// with different numbers of them.
func (m Metric) CheckTrials(runs ...*verbatim.Run) error {
	kind, k := m.trials()
	for _, r := range runs {
		trials := int64(max(r.Plan.Trials, 1))
		if kind != "" && k > trials {
			name := "this run"
			if r.Name != "" {
				name = "run " + r.Name
			}
			return errkind.Usagef(fmt.Sprintf("K can be at most %d here; more need a run with --trials %d", trials, k),
				"--metric %s needs %d trials of each item, but %s has %d", m, k, name, trials)
		}
		if first := int64(max(runs[0].Plan.Trials, 1)); kind != "" && k == 0 && trials != first {
			return errkind.Usagef("use pass@K or all@K with a number of trials that all runs have", "--metric %s is over all trials of an item, but run %s has %d and run %s has %d", m, runs[0].Name, first, r.Name, trials)
		}
	}
	return nil
}
