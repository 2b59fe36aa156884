package layout

import (
	"io"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// A Format is a way to write a T: a Report, or a Compared.
type Format[T any] struct {
	Name  string // as --format takes it
	Doc   string
	Write func(w io.Writer, t *T, s terminal.Style) error
}

// Formats lists the formats, the default first.
func Formats() []Format[report.Report] {
	return []Format[report.Report]{
		{"text", "tables and curves for a terminal", Text},
		{"md", "Markdown, for issues and notebooks", Markdown},
		{"csv", "one row for each line of the tables, unrounded", CSV},
		{"json", "everything, unrounded: verbatim/report/2", JSON},
		{"junit", "JUnit XML, a test for each line: it fails below --fail-under", JUnit},
	}
}

// JSON writes the Report as it is, one indented document.
func JSON(w io.Writer, r *report.Report, _ terminal.Style) error { return terminal.WriteJSON(w, r) }

// CompareFormats lists the formats, the default first.
func CompareFormats() []Format[report.Compared] {
	return []Format[report.Compared]{
		{"text", "the verdict in words and tables for a terminal", CompareText},
		{"md", "Markdown, for issues and notebooks", CompareMarkdown},
		{"csv", "one row for each line of the tables, unrounded", CompareCSV},
		{"json", "everything, unrounded: verbatim/compare/1", CompareJSON},
	}
}

// CompareJSON writes the Compared as it is, one indented document.
func CompareJSON(w io.Writer, c *report.Compared, _ terminal.Style) error {
	return terminal.WriteJSON(w, c)
}
