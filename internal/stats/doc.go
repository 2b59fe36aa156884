// Package stats holds the basic statistics of the program: numbers in, numbers out. It
// knows neither items nor records. Each function states what it assumes, what it
// guarantees and what it returns in edge cases.
//
// A file for each subject:
//
//	intervals of a share        wilson.go (plain, of repeated answers, of items in several wordings)
//	means, quantiles            quantile.go; streams.go in bounded memory
//	tests                       mcnemar.go (McNemar, exact sign flips, Holm's correction)
//	mean of paired differences  strata.go (stratified Bayesian bootstrap), posterior.go (its
//	                            distribution), cluster.go (cluster-robust)
//	ranks of several models     ranks.go: simultaneous rank intervals, rank probabilities
//	sample size and power       power.go, with non-inferiority margins
//	repeated answers            retest.go (variance components, ICC, flip rate, pass@k)
//	numerics                    gammasum.go (tail of a sum of gamma variables), normal.go
//	types                       interval.go, with what a function rejects
//
// Packages below this one:
//
//	sequential  tests that stop early: anytime-valid intervals, ROPE test, gate
//	horizon     the length at which half of the answers are right
//	change      tests whether two endpoints, or one over time, answer differently
//	signedrank  the Bayesian signed-rank test and ranking of published analyses
//
// Start reading at Wilson, then Strata and Posterior, on which comparisons are based.
package stats
