// Package rows reads and writes the rows of a database of runs.
//
// Layout is the schema (schema.go). An Inserter saves records and the items and texts that they
// refer to (insert.go): one by one, or several with one statement for each table. A Scanner reads
// the records of a run in planned order. It reads their briefs (brief.go) if these have all that
// a Read selects, otherwise the columns that briefs repeat (columns.go). Both ways decode into a
// Row.
//
// # Tables
//
// The key of a position of a run is one integer, with the number of the run in the upper half and
// the position in the lower half. It is the key of the tables reply, answer, failure, attempt and
// grade. So a run is one contiguous range of each table, in planned order. The table reply has
// numbers, the table answer texts. Texts that repeat are saved once, in the table word. A brief
// is a packed copy of the fields of a record that comparisons and reports read.
//
// All functions use a sqlite.Conn within a transaction of their caller. Every read of a whole run
// compares the number of rows with the counts that each commit updates (completeness.go).
package rows
