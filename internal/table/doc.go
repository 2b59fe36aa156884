// Package table holds the documents that commands print, and the formats in which they print them.
//
// A Document has three forms of the same result: a Body of headings, sentences, facts and Tables
// for people, a Data table of unrounded rows for programs, and a Value for JSON. Package layout
// makes Documents; this package writes them in every format.
//
// A format is one file with one function, and one line in Formats. All commands that print a
// Document then have it: report, compare, check, horizon, aa, verify, preflight, smoke and sentinel.
// Commands that print a list have --json instead of formats.
package table
