package table

import (
	"io"

	"verbatim/internal/terminal"
)

// A Format is a way to write a document.
type Format struct {
	Name  string // as --format takes it
	Doc   string
	Write func(w io.Writer, d *Document, s terminal.Style) error
	// Tests says that it writes only documents with Tests.
	Tests bool
	// RowsOnly says that it writes the rows of Document.Data for programs, without warnings and
	// sentences.
	RowsOnly bool
	// Page says that it writes pages and papers, for reports and comparisons.
	Page bool
}

// Formats lists the formats, the default first.
func Formats() []Format {
	return []Format{
		{Name: "text", Doc: "sentences and tables for a terminal", Write: text},
		{Name: "md", Doc: "Markdown, for issues and notebooks", Write: markdown},
		{Name: "csv", Doc: "unrounded rows, with a header", Write: writeCSV, RowsOnly: true},
		{Name: "json", Doc: "everything, unrounded", Write: json},
		{Name: "junit", Doc: "JUnit XML, for CI systems", Write: junit, Tests: true},
		{Name: "html", Doc: "one page without scripts", Write: html, Page: true},
		{Name: "latex", Doc: "tables with booktabs, for papers", Write: latex, Page: true},
	}
}

// json writes the value of the document, indented.
func json(w io.Writer, d *Document, _ terminal.Style) error { return terminal.WriteJSON(w, d.Value) }
