// Package result has what the commands other than `report` say of runs: comparisons, checks,
// verifications, items that were asked twice, horizons, and lists of failed records. The
// exported types are also their JSON forms.
package result
