// Package stats holds the basic statistics of the program: numbers in, numbers out. It
// knows neither items nor records. Each function states what it assumes, what it
// guarantees and what it returns in edge cases.
//
// One file for each method:
//
//	intervals of a share       wilson.go, jeffreys.go
//	tests                      mcnemar.go (mid-p), holm.go (family-wise error)
//	mean of paired differences strata.go, stratum.go (stratified Bayesian bootstrap),
//	                           posterior.go, mass.go (its distribution), cluster.go
//	                           (cluster-robust)
//	sample size and power      power.go, margin.go (non-inferiority)
//	repeated answers           retest.go (variance components, ICC, flip rate)
//	weighted means             lengthweighted.go
//	numerics                   gammasum.go, gammaform.go, gammapath.go (tail of a sum of
//	                           gamma variables), gammadraw.go (sampling), root.go
//	types                      interval.go, badvalue.go (what a function rejects)
//
// Packages below this one:
//
//	sequential  tests that stop early: anytime-valid intervals, ROPE test, gate
//	ranks       leaderboards: simultaneous rank intervals, rank probabilities
//	horizon     the length at which half of the answers are right
//	signedrank  the Bayesian signed-rank test and ranking of published analyses
//
// Start reading at Wilson, then Strata and Posterior, on which comparisons are based.
package stats
