package paper

import "verbatim/internal/layout"

// Formats lists the ways to write a Document, the default first. HTML is a page of
// its own, and the figures are drawn by package figure.
func Formats() []layout.Format[Document] {
	return []layout.Format[Document]{
		{Name: "text", Doc: "tables for a terminal", Write: Text},
		{Name: "md", Doc: "Markdown, for issues and notebooks", Write: Markdown},
		{Name: "latex", Doc: "LaTeX with booktabs, to be included in a paper", Write: LaTeX},
		{Name: "csv", Doc: "every number in a row of its own, unrounded", Write: CSV},
		{Name: "json", Doc: "everything, unrounded: verbatim/paper/1", Write: JSON},
	}
}
