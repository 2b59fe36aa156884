package paper

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// LaTeX writes tables and figures as floats, to be included in a paper. The first lines are
// comments with the packages that the paper must load. The files of figures are those that
// `report --figures` writes. Every text is escaped; characters that a plain pdflatex cannot
// set are named.
func LaTeX(w io.Writer, d *Document, _ terminal.Style) error {
	out := bufio.NewWriter(w)
	out.WriteString("% \\usepackage{booktabs}\n")
	if slices.ContainsFunc(d.Tables, func(t Table) bool { return t.plain().IsLong() }) {
		out.WriteString("% \\usepackage{longtable}\n")
	}
	if len(d.Figures) > 0 {
		out.WriteString("% \\usepackage{graphicx}\n")
	}
	if d.Command != "" {
		out.WriteString("% " + terminal.Visible(d.Command) + "\n")
	}
	for i := range d.Tables {
		out.WriteString("\n")
		t := d.Tables[i].plain()
		t.Caption = d.Tables[i].Caption
		table.WriteLaTeX(out, t)
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		fmt.Fprintf(out, "\n\\begin{figure}\n  \\centering\n  \\includegraphics[width=\\linewidth]{figures/%s}\n  \\caption{%s}\n  \\label{fig:%s}\n\\end{figure}\n",
			table.Slug(f.Name), table.LaTeXText(f.Caption), table.Slug(f.Name))
	}
	return out.Flush()
}
