// Package paper holds documents: numbered tables and figures with their captions. A
// report makes one, and so does each published study below package study. A Document is
// computed once; LaTeX, Markdown, CSV and the rest lay it out.
//
// Start reading at Document.
package paper

import (
	"strconv"

	"verbatim/internal/figure"
)

// Missing is the cell of an unknown number.
const Missing = "–"

// A Document is the tables and figures of a study.
type Document struct {
	Title   string
	Lead    []string // paragraphs: the tasks, the models, and how to read the tables
	Command string   // that makes it
	Tables  []Table
	Figures []Figure
	// Differences compares the published numbers with ours; nil without published numbers.
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
	Right bool   // aligned to the right
}

// A Row has a cell for each column, as printed: rounded, "–" if unknown.
type Row struct {
	Cells []string
	Rule  bool // with a line above it
	// Key identifies the row in its table. Values are the unrounded numbers of its cells,
	// for the formats that programs read: none, one, or two as of an interval.
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
	// Text is the alternative text.
	Text   string
	Figure figure.Figure
}

// Differences are the published numbers next to ours.
type Differences struct {
	Source   string // the publication
	Compared int    // numbers
	Equal    int    // at the published decimals
	// Within counts those that differ by no more than the Monte Carlo error of the
	// published ones.
	Within int
	List   []Differing // all that differ, also those within the error
	Notes  []string
}

// A Differing is a published number that differs from ours.
type Differing struct {
	Place     string // as "Table 5, Llama-3.1, p_smaller(best)"
	Published string
	Ours      string
	Why       string
	Explained bool // it is within the Monte Carlo error, or has a known reason
}

// title is the number of a table or a figure, as "Table 1"; "" without one.
func (t *Table) title() string { return numbered("Table", t.Number) }

func (f *Figure) title() string { return numbered("Figure", f.Number) }

func numbered(word string, n int) string {
	if n == 0 {
		return ""
	}
	return word + " " + digits(n)
}

// captioned is a caption with its number.
func captioned(title, caption string) string {
	if title == "" {
		return caption
	}
	return title + ". " + caption
}

// Only returns a Document of the table alone, for a file of its own.
func (t Table) Only() *Document { return &Document{Tables: []Table{t}} }

func digits(n int) string { return strconv.Itoa(n) }
