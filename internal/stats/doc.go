// Package stats holds the basic statistics of the program: numbers in, numbers out. It
// knows neither items nor records. Each function states what it assumes, what it
// guarantees and what it returns in edge cases.
//
// One file for each method:
//
//	intervals of a share       wilson.go, itemcounts.go (repeated answers),
//	                           wordings.go (items in several wordings)
//	intervals of a mean        meanscore.go (scores by item)
//	tests                      mcnemar.go (mid-p), signflip.go (exact), holm.go
//	                           (family-wise error)
//	mean of paired differences strata.go, stratum.go (stratified Bayesian bootstrap),
//	                           posterior.go, mass.go (its distribution), cluster.go
//	                           (cluster-robust)
//	sample size and power      power.go, margin.go (non-inferiority)
//	repeated answers           retest.go (variance components, ICC, flip rate),
//	                           passatk.go
//	weighted means, quantiles  lengthweighted.go, quantile.go
//	numerics                   gammasum.go, gammaform.go, gammapath.go (tail of a sum of
//	                           gamma variables), gammadraw.go (sampling), root.go
//	types                      interval.go, badvalue.go (what a function rejects)
//
// Packages below this one:
//
//	sequential    tests that stop early: anytime-valid intervals, ROPE test, gate
//	ranks         leaderboards: simultaneous rank intervals, rank probabilities
//	horizon       the length at which half of the answers are right
//	change        tests whether two endpoints, or one over time, answer differently
//	signedrank    the Bayesian signed-rank test and ranking of published analyses
//	stream        sums, quantiles and counts of a stream, in bounded memory
//	distribution  the normal and Student's distribution
//
// Start reading at Wilson, then Strata and Posterior, on which comparisons are based.
package stats
