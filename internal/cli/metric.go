package cli

import (
	"verbatim/internal/errkind"
	"verbatim/internal/report"
)

// MetricNames lists the metrics of items and of trials.
func MetricNames() []string {
	names := ItemMetricNames()
	for _, metric := range report.TrialMetrics() {
		names = append(names, string(metric))
	}
	return names
}

// ItemMetricNames are the metrics of an item, whatever its number of trials.
func ItemMetricNames() (names []string) {
	for _, metric := range report.Metrics() {
		names = append(names, string(metric))
	}
	return names
}

// ParseMetric reads --metric. It returns "" if the flag is not given: runs are then ranked by
// exactness, and the score column has the suite's own score.
func ParseMetric(metric string) (report.Metric, error) {
	if metric == "" {
		return "", nil
	}
	parsed, err := report.ParseMetric(metric)
	if err != nil {
		return "", errkind.Usagef("", "--metric: %w", err)
	}
	return parsed, nil
}
