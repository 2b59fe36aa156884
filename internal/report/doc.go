// Package report says what came out of runs. It computes first and lays out
// afterwards: a Report is folded once from the records of one or several runs,
// in memory that does not grow with their number, and every format (Text,
// Markdown, CSV, JSON) prints the same numbers. The formats round, align and
// colour; they count and divide nothing.
//
// What the numbers mean is decided here once. Rates are over answered items,
// with the rate over all planned items beside them; an outage is never a wrong
// answer; what is not known is absent, never 0. Doubts travel with the numbers
// as warnings.
//
// Show does the same for a single record: Look computes what there is to say of
// it, with an aligned difference between the wanted and the given answer, and
// ShowText and ShowJSON print that.
//
// CompareText and LeaderboardText and their neighbours lay out what package verdict
// says of runs beside each other.
//
// Everything that a model, a server or a file wrote passes through Visible
// before it reaches a terminal.
//
// Start reading at Report and Of; Look is the door to the rest.
package report
