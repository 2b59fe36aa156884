// Package layout turns computed results into documents: the report of runs with its leaderboard
// (Report), comparisons (Compare), and the list of failures of a run (ListingText). The packages
// below it have the documents of the other commands. Package table writes a document in every
// format.
//
// Layouts round, align and name numbers. They do not compute any: package report and the packages
// of verdicts do.
package layout
