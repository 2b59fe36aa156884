// Package jsonlines carries runs between databases as JSON lines. docs/format-runs.md
// describes the lines.
//
// Export writes runs; line.go has the types of lines. Import reads them. It saves a new run in
// slices, hidden until it is complete (incoming.go). To a run that the database has already, it
// adds what the run lacks (merge.go).
package jsonlines
