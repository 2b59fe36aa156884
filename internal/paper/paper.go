// Package paper holds documents: numbered tables and figures with their captions. A
// report makes one, and so does each published study below package study. A Document is
// computed once; LaTeX, Markdown, CSV and the rest lay it out.
//
// Start reading at Document.
package paper

import "verbatim/internal/figure"

// Missing is the cell of a number that is not known.
const Missing = "–"

// A Document is the tables and figures of a study.
type Document struct {
	Title   string
	Lead    []string // paragraphs: what was asked of whom, and how to read it
	Command string   // makes it again
	Tables  []Table
	Figures []Figure
	// Differences compares what is published with what came out; nil where there is
	// nothing to compare with.
	Differences *Differences
}

// A Table has a number and a caption, as in "Table 1".
type Table struct {
	Number  int    // 0: it has none
	Name    string // of its file, as "table-1"
	Caption string
	Columns []Column
	Rows    []Row
	Notes   []string // below it
}

// A Column is headed by its words.
type Column struct {
	Head  string // plain text
	LaTeX string // where Head is a formula; empty: Head
	Short string // for a terminal that is too narrow for Head; empty: Head
	Right bool   // figures stand to the right
}

// A Row has a cell for each column, as printed: rounded, "–" where nothing is known.
type Row struct {
	Cells []string
	Rule  bool // a line stands above it
	// Key names the row among those of its table, and Values are the numbers behind
	// its cells, unrounded: what the forms for programs hold. A cell without a number
	// has no value, and one with two, such as an interval, has two.
	Key    string
	Values []Value
}

// A Value is a number with the name of its column for programs, as "ci_low".
type Value struct {
	Column string
	Number float64
}

// A Figure is a drawing with a number and a caption.
type Figure struct {
	Number  int
	Name    string // of its files, as "figure-01"
	Caption string
	// Text says what is to be seen, for who does not see it.
	Text   string
	Figure figure.Figure
}

// Differences are the published numbers next to ours.
type Differences struct {
	Source   string // what was published, and where
	Compared int    // numbers
	Equal    int    // at the published decimals
	// Within counts those that differ by no more than the Monte Carlo error of the
	// published ones.
	Within int
	List   []Differing // all that are not equal, those within the error too
	Notes  []string
}

// A Differing is a published number that is not ours.
type Differing struct {
	Place     string // as "Table 5, Llama-3.1, p_smaller(best)"
	Published string
	Ours      string
	Why       string
	Explained bool // it is within the Monte Carlo error, or has a known reason
}
