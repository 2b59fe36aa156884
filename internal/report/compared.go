package report

import (
	"io"

	"verbatim/internal/verdict"
)

// A Compared is what there is to say of runs beside each other. Its JSON form is
// the format "verbatim/compare/1"; a missing number is null.
type Compared struct {
	Format string `json:"format"`
	// Method is "posterior", or "signed-rank" for the analysis of the SortBench paper.
	Method string `json:"method"`
	// Comparisons holds one for each run beside the baseline, or for all pairs.
	Comparisons []*verdict.Comparison `json:"comparisons"`
}

// Comparing makes what the formats print of comparisons.
func Comparing(list []*verdict.Comparison) *Compared {
	return &Compared{Format: "verbatim/compare/1", Method: "posterior", Comparisons: list}
}

// A CompareFormat is a way to write a Compared.
type CompareFormat struct {
	Name  string // as --format takes it
	Doc   string
	Write func(w io.Writer, c *Compared, s Style) error
}

// CompareFormats lists the formats, the default first.
func CompareFormats() []CompareFormat {
	return []CompareFormat{
		{"text", "the verdict in words and tables for a terminal", CompareText},
		{"md", "Markdown, for issues and notebooks", CompareMarkdown},
		{"csv", "one row for each line of the tables, unrounded", CompareCSV},
		{"json", "everything, unrounded: verbatim/compare/1", CompareJSON},
	}
}

// CompareJSON writes the Compared as it is, one indented document.
func CompareJSON(w io.Writer, c *Compared, _ Style) error { return document(w, c) }
