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

// title is what stands above a table or beside a figure: "Table 1", or nothing.
func (t *Table) title() string { return numbered("Table", t.Number) }

func (f *Figure) title() string { return numbered("Figure", f.Number) }

func numbered(word string, n int) string {
	if n == 0 {
		return ""
	}
	return word + " " + digits(n)
}

// captioned is a caption behind its number.
func captioned(title, caption string) string {
	if title == "" {
		return caption
	}
	return title + ". " + caption
}

// Only returns a Document of the table alone, for a file of its own.
func (t Table) Only() *Document { return &Document{Tables: []Table{t}} }
