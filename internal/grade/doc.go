// Package grade judges replies without a judge: an item has exactly one right
// answer, so a reply is right or it is not, and what remains is to say in which
// way it failed.
//
// Start at Of (grade.go): it is pure, chooses the grader by the item's data and
// returns a verbatim.Grade. A grader is a rule with a version; the same item and
// reply earn the same grade from the same version for ever. Text answers are
// judged in text.go, sums in integer.go, lists in the files list*.go. The failure
// labels of texts are one literal ladder (ladder.go): the first rung that holds
// names the failure, and the files beside it hold the rungs by kind.
// Lines (lines.go) is the same as a filter of JSON lines.
//
// A reply is data of an unknown sender. Nothing in it is ever run, and all work
// on it is linear in its size, n log n, or stopped at a bound that limits.go
// names; where a bound was met the measure is left out or says that it is one.
package grade
