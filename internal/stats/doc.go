// Package stats turns numbers into numbers: intervals of shares, posteriors of mean
// differences, tests that may be looked at at any time, limits, and the rankings of
// published analyses. It knows neither items nor records, takes what it is given
// and states for each function what it assumes and what it does at its edges.
//
// Start reading at Wilson, the interval of a share; then Strata and Posterior, which
// comparisons rest on, and Vectors and Joint, which leaderboards do; Sequential and
// Gate, which stop early, and FitLimit.
package stats
