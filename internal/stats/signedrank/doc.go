// Package signedrank repeats published analyses: the Bayesian signed-rank test of
// baycomp, and the ranking of several models by autorank. The program's own comparisons
// do not use it; see Test for the reason.
//
// One file for each part:
//
//	signedrank.go       Test: the posterior probabilities of smaller, equal and larger
//	ties.go             differences grouped into classes of ties, and draws of their weights
//	draws.go            Draws: seed, number and accuracy of the draws
//	ranking.go          Rank: the tables of autorank
//	cohend.go           Cohen's d and the words for its size
//
// Start reading at Test.
package signedrank
