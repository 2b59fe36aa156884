// Package verdicts lays out the results of the commands that end in a verdict or a single
// figure: check, verify, aa and horizon. Package layout has the reports of runs and their
// comparison.
package verdicts
