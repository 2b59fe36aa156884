// Package verdict compares two runs on the same items, a baseline A and a run B, and says
// whether B is worse, equivalent or better. The statistics come from package stats.
//
// The files, in the order in which data pass through them:
//
//	side.go           Side: a run with its records
//	answer.go         Answer: the part of a record that statistics use
//	stream.go         reads the answers of a run ahead, in a goroutine
//	comparable.go     rejects runs whose difference would not be one of models
//	graders.go        rejects answers graded by different rules
//	refusal.go        Refusal: the error of runs that cannot be compared
//	match.go          Match: pairs the answers of several runs by item
//	grid.go           Grid: the cell (family and length) of each item
//	group.go          sums over the items of a row
//	comparer.go       collects all groups of one comparison
//	stratify.go       the stratified posterior of a mean difference
//	pvalue.go         PValue: what must be small for a verdict
//	rule.go           from probabilities to a Word
//	adjust.go         Holm's correction for several runs, or for the rows of a table
//	itemsneeded.go    the number of items that would settle an inconclusive verdict
//	horizons.go       the 50 % horizons of both runs; horizoncache.go keeps them
//	rows.go, flips.go the tables of a comparison; notes.go what limits them
//	compare.go        Compare: all of it together
//	comparison.go     Comparison: the result
//	several.go        CompareSeveral: several runs with one, or all pairs
//	across.go         two prompts with one model
//	rank.go           Rank: ranks several runs; leaderboard.go has the result
//	options.go, word.go, builtin.go
//
// The folders have the other verdicts. earlystop, retest, poweranalysis and autorank use the reading
// and matching of runs of this package.
//
// Start reading at Compare.
package verdict
