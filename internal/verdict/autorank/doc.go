// Package autorank repeats the analysis of the SortBench paper (Herbold 2025): models
// ranked by mean score, with Bayesian signed-rank tests of all pairs. The mathematics is
// in package stats/signedrank.
//
// items.go collects the items that all runs answered, rank.go holds Rank, and ranking.go
// the result. The program's own leaderboards do not use this analysis; see Ranking.
package autorank
