// Package table holds what a command prints, and the formats that print it.
//
// A Document has three forms of the same result: a Body of headings, sentences, facts
// and Tables for people, a Data table of unrounded rows for programs, and a Value that
// is its JSON. Package layout makes Documents; this package writes each of them in every
// format.
//
// A format is one file with one function, and one line in Formats. Every command that prints a
// Document has it then: report, compare, check, horizon, aa, verify, preflight, smoke and sentinel.
// Commands that print a list have --json in place of formats.
package table
