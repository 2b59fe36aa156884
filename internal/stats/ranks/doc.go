// Package ranks compares the mean scores of several runs on the same items. It gives the
// probability that one run is ahead of another, simultaneous rank intervals, and the
// probability of each rank.
//
// One file for each part:
//
//	scores.go     Scores: collects a vector of scores for each item, by cell
//	posterior.go  Posterior: the joint posterior of the means (Bayesian bootstrap)
//	intervals.go  Pair and Intervals: pairwise p-values, simultaneous rank intervals
//	draws.go      RankProbabilities: draws from the posterior
//
// Start reading at Scores, then at Intervals.
package ranks
