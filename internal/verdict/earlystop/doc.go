// Package earlystop asks a model the items of a saved baseline until a sequential test
// has a verdict, or until the items are used up. It is behind the command check and the
// flag --until-verdict.
//
// One file for each part:
//
//	baseline.go  Baseline: the saved run, read once
//	test.go      Test: a verbatim.Source that sends items, in a random order, until there is a verdict
//	decide.go    feeds complete blocks to the test and decides
//	result.go    Result: the verdict with its numbers, and the interval of the rule that decided
//
// A result is a function of the records alone. A test that was interrupted and continued
// gives the result that it would have given without the interruption.
//
// Start reading at Test.
package earlystop
