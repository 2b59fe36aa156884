// Package list grades replies to items whose expected answer is a list. The graders
// "list", "sortbench" and "sortbench-reference" share one reading and differ in the
// score.
//
// Start at Judge (judge.go) and its Grade (list.go). read.go reads a reply as
// SortBench's published scorer does, with its repairs (repair.go and repair_*.go).
// count.go compares the items with the expected ones, and score.go computes SortBench's
// scores from the counts. answer.go says for "list" whether a reply is exact or extracted, and verdict.go
// for SortBench's graders. The mistakes of mistake.go name the failure of a wrong list.
package list
