// Package jsonlines carries runs between databases as JSON lines. docs/format-runs.md
// describes the lines.
//
// Export writes runs (line.go has the types of lines). Import reads them: a new run is
// written in slices and is hidden until it is complete (incoming.go); to a run that is in
// the database already, lines add what it lacks (merge.go). Lines of earlier versions are
// read in today's words (earlierline.go).
package jsonlines
