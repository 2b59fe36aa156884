package paper

import (
	"bufio"
	"cmp"
	"io"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// Markdown writes the document with pipe tables, as GitHub reads them.
func Markdown(w io.Writer, d *Document, _ terminal.Style) error {
	out := bufio.NewWriter(w)
	if d.Title != "" {
		out.WriteString("# " + marked(d.Title) + "\n\n")
	}
	for _, p := range d.Lead {
		out.WriteString(marked(p) + "\n\n")
	}
	for i := range d.Tables {
		if i > 0 {
			out.WriteString("\n")
		}
		markdownTable(out, &d.Tables[i])
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		out.WriteString("\n**" + marked(cmp.Or(f.title(), f.Name)) + ".** " + marked(cmp.Or(f.Text, f.Caption)) + "\n")
	}
	if d.Differences != nil {
		out.WriteString("\n## Differences from what is published\n\n" + marked(d.Differences.Sentence()) + "\n")
		for _, n := range d.Differences.Notes {
			out.WriteString("\n" + marked(n) + "\n")
		}
		if t := d.Differences.Table(); len(t.Rows) > 0 {
			out.WriteString("\n")
			markdownTable(out, &t)
		}
	}
	if d.Command != "" {
		out.WriteString("\nMade by:\n\n    " + terminal.Visible(d.Command) + "\n")
	}
	return out.Flush()
}

// markdownTable leaves write errors to the Flush of its caller.
func markdownTable(out *bufio.Writer, t *Table) {
	if title := t.title(); title != "" {
		out.WriteString("**" + title + ".** ")
	}
	out.WriteString(marked(t.Caption) + "\n\n")
	body := t.plain()
	body.Caption = ""
	table.WriteMarkdown(out, []table.Block{body})
}

// marked escapes a text for Markdown.
func marked(s string) string { return table.MarkdownText(terminal.Visible(s)) }
