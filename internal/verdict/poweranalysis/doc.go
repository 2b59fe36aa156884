// Package poweranalysis says what a comparison or a check over a number of items can
// detect.
//
// variability.go estimates how much answers differ, from saved runs where there are any.
// power.go holds Analyze, which simulates checks; comparepower.go computes detectable
// differences and simulates comparisons.
package poweranalysis
