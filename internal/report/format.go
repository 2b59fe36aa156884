package report

import (
	"io"

	"verbatim/internal/terminal"
)

// A Format is a way to write a T: a Report, or a Compared.
type Format[T any] struct {
	Name  string // as --format takes it
	Doc   string
	Write func(w io.Writer, t *T, s terminal.Style) error
}

// Formats lists the formats, the default first.
func Formats() []Format[Report] {
	return []Format[Report]{
		{"text", "tables and curves for a terminal", Text},
		{"md", "Markdown, for issues and notebooks", Markdown},
		{"csv", "one row for each line of the tables, unrounded", CSV},
		{"json", "everything, unrounded: verbatim/report/2", JSON},
		{"junit", "JUnit XML, a test for each line: it fails below --fail-under", JUnit},
	}
}

// JSON writes the Report as it is, one indented document.
func JSON(w io.Writer, r *Report, _ terminal.Style) error { return terminal.WriteJSON(w, r) }
