// Package paper holds documents for papers: numbered tables and figures with their captions.
// Report makes a Document of any report, and each published study below package study makes its
// own. Formats lists the ways to write a Document, such as LaTeX, Markdown and CSV. Charts makes
// the figures of a report, and WriteFigures writes figures as files.
//
// Start reading at Document.
package paper

import (
	"strconv"

	"verbatim/internal/figure"
	"verbatim/internal/table"
)

// Missing is the cell of an unknown number.
const Missing = "–"

// A Document is the tables and figures of a study.
type Document struct {
	Title   string
	Lead    []string // paragraphs: the tasks, the models, and how to read the tables
	Command string   // makes the document again; empty if unknown
	Raw     bool     // CSV cells unchanged, even if a spreadsheet may read them as formulas
	Tables  []Table
	Figures []Figure
	// Differences compares the published numbers with ours; nil without published numbers.
	Differences *Differences
}

// A Table has a number and a caption, as in "Table 1".
type Table struct {
	Number  int    // 0: it has none
	Name    string // of its file, such as "table-1"
	Caption string
	Columns []Column
	Rows    []Row
	Notes   []string // below it
}

// The parts of a Table are those of every table.
type (
	Column = table.Column
	Row    = table.Row
	Value  = table.Value
)

// A Figure is a drawing with a number and a caption.
type Figure struct {
	Number  int
	Name    string // of its files, such as "figure-01"
	Caption string
	// Text is the alternative text.
	Text   string
	Figure figure.Figure
}

// Differences are the published numbers next to ours.
type Differences struct {
	Source   string // the publication
	Compared int    // the number of published numbers that are compared
	Equal    int    // how many of them are equal at the published decimals
	// Within is how many differ by no more than the Monte Carlo error of the published ones.
	Within int
	List   []Differing // all that differ, also those within the error
	Notes  []string
}

// A Differing is a published number that differs from ours.
type Differing struct {
	Place     string // such as "Table 5, Llama-3.1, p_smaller(best)"
	Published string
	Ours      string
	Why       string
	Explained bool // it is within the Monte Carlo error, or has a known reason
}

// title is the number of a table, such as "Table 1"; empty without one.
func (t *Table) title() string { return numbered("Table", t.Number) }

func (f *Figure) title() string { return numbered("Figure", f.Number) }

func numbered(word string, n int) string {
	if n == 0 {
		return ""
	}
	return word + " " + strconv.Itoa(n)
}

// plain returns the table for package table, with its number before the caption.
func (t *Table) plain() *table.Table {
	return &table.Table{Name: t.Name, Caption: captioned(t.title(), t.Caption), Columns: t.Columns, Rows: t.Rows, Notes: t.Notes, Ruled: true}
}

// captioned puts the number of a table or a figure before its caption.
func captioned(title, caption string) string {
	if title == "" {
		return caption
	}
	return title + ". " + caption
}

// Only returns a Document of the table alone, for a file of its own.
func (t Table) Only() *Document { return &Document{Tables: []Table{t}} }
