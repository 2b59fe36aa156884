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
	// Tests: it writes only documents that have Tests.
	Tests bool
}

// Formats lists the formats, the default first.
func Formats() []Format {
	return []Format{
		{"text", "sentences and tables for a terminal", text, false},
		{"md", "Markdown, for issues and notebooks", markdown, false},
		{"csv", "unrounded rows, with a header", csv, false},
		{"json", "everything, unrounded", json, false},
		{"junit", "JUnit XML, for CI systems", junit, true},
		{"html", "one page without scripts", html, false},
		{"latex", "tables with booktabs, for papers", latex, false},
	}
}
