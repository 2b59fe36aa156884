// Package layout turns computed results into what people read: the report of runs,
// comparisons, checks, leaderboards, horizons, error rates and lists of failures.
//
// Layouts round, align and name. They count and divide nothing: what they print was
// computed by package report or a package of verdicts.
package layout
