// Package earlystop asks a model the items of a saved baseline until a sequential test
// has a verdict, or until the items are used up. It is behind the command check and the
// flag --until-verdict.
//
// One file for each part:
//
//	baseline.go     Baseline: the saved run, read once
//	order.go        the random order of its items, in blocks
//	scope.go        which items a test sends
//	test.go         Test: a verbatim.Source that sends items until there is a verdict
//	decide.go       feeds complete blocks to the test and decides
//	itemsneeded.go  how many items an undecided test would still need
//	result.go       Result: the verdict with its numbers
//	interval.go     the interval of the rule that decided; the error of the baseline
//
// A result is a function of the records alone. A test that was interrupted and continued
// gives the result that it would have given without the interruption.
//
// Start reading at Test.
package earlystop
