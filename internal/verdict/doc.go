// Package verdict compares two runs on the same items, a baseline A and a run B, and says
// whether B is worse, equivalent or better. The statistics come from package stats.
//
// The files, in the order in which data pass through them:
//
//	answer.go       Side: a run with its records; Answer: the part of a record that statistics use
//	comparable.go   rejects runs whose difference would not be one of models
//	match.go        Match: pairs the answers of several runs by item
//	grid.go         Grid: the cell (family and length) of each item
//	comparer.go     collects all groups of one comparison, with their stratified posteriors
//	rule.go         from p-values and probabilities to a Word; Holm's correction
//	horizons.go     the 50 % horizons of both runs
//	comparison.go   Comparison: the result, its tables and what limits them
//	compare.go      Compare: all of it together; CompareSeveral: several runs
//	leaderboard.go  Rank: ranks several runs
//
// The folders have the other verdicts. earlystop, retest, poweranalysis and autorank use the reading
// and matching of runs of this package.
//
// Start reading at Compare.
package verdict
