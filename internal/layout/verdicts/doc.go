// Package verdicts makes the documents of the commands that end in a verdict or a single figure:
// check, verify, aa, horizon, preflight, smoke and sentinel. Each has a function that takes the
// result of the command, such as Check. Package layout has the reports of runs and their
// comparison.
package verdicts
