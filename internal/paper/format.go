package paper

import (
	"io"

	"verbatim/internal/terminal"
)

// A Format is a way to write a Document.
type Format struct {
	Name  string // as --format takes it
	Doc   string
	Write func(w io.Writer, d *Document, s terminal.Style) error
}

// Formats lists the ways to write a Document, the default first. HTML is a page of
// its own, and the figures are drawn by package figure.
func Formats() []Format {
	return []Format{
		{Name: "text", Doc: "tables for a terminal", Write: Text},
		{Name: "md", Doc: "Markdown, for issues and notebooks", Write: Markdown},
		{Name: "latex", Doc: "LaTeX with booktabs, to be included in a paper", Write: LaTeX},
		{Name: "csv", Doc: "every number in a row of its own, unrounded", Write: CSV},
		{Name: "json", Doc: "everything, unrounded: verbatim/paper/1", Write: JSON},
	}
}
