// Package rows reads and writes the rows of a database of runs.
//
// Layout is the schema (schema.go has the tables). An Inserter writes records and what they
// refer to (insert.go): one by one, or many with one statement for each table. A Scanner
// reads the records of a run in planned order: from briefs where they say enough
// (brief.go), otherwise from the columns that briefs repeat (columns.go). Both decode into
// the same Row.
//
// # Tables
//
// The key of a position of a run is one integer: the run's number in the upper half
// and the position in the lower half. It is the key of the tables reply, answer,
// failure, attempt and grade. So a run is one contiguous range of each table, already
// in planned order. Numbers are in narrow rows, texts in rows of their own, and texts
// that repeat are saved once. A brief is a packed copy of what comparisons and reports
// read of a record; it is a column of the reply's row.
//
// Everything here works on a sqlite.Conn, within a transaction of its caller. Every read
// of a whole run compares the number of rows with the counts of the commits
// (completeness.go).
package rows
