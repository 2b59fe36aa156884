// Package layout turns computed results into documents: the report of runs with its leaderboard
// (Report), comparisons (Compare), the list of failures of a run (ListingText), and the results of
// check, preflight, smoke, sentinel and verify, a file for each. Package table writes a document in
// every format.
//
// Layouts round, align and name numbers. They do not compute any: package report and the packages
// of verdicts do.
package layout
