// Package results has the commands that read saved runs: report, compare, runs and show. None of
// them sends a request.
//
// A command is a function that returns a cobra.Command, in a file of its own, with a type for its
// flags. preset.go is the part of report that makes the tables of published studies.
package results
