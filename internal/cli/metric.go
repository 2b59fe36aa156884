package cli

import (
	"verbatim/internal/errkind"
	"verbatim/internal/report"
)

// metricNames lists the metrics of items and of trials.
func metricNames() []string {
	names := itemMetricNames()
	for _, metric := range report.TrialMetrics() {
		names = append(names, string(metric))
	}
	return names
}

// itemMetricNames are the metrics of an item, whatever its number of trials.
func itemMetricNames() (names []string) {
	for _, metric := range report.Metrics() {
		names = append(names, string(metric))
	}
	return names
}

// parseMetric reads --metric. It returns "" if the flag is not given: runs are then ranked by
// exactness, and the score column has the suite's own score.
func parseMetric(metric string) (report.Metric, error) {
	if metric == "" {
		return "", nil
	}
	parsed, err := report.ParseMetric(metric)
	if err != nil {
		return "", errkind.Usagef("", "--metric: %w", err)
	}
	return parsed, nil
}
