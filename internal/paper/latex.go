package paper

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/terminal"
)

// LaTeX writes tables and figures as floats, to be included in a paper that loads
// the packages booktabs, and graphicx where there are figures. The files of figures
// are those that `report --figures` writes. Every text is escaped; characters that
// a plain pdflatex cannot set are named.
func LaTeX(w io.Writer, d *Document, _ terminal.Style) error {
	out := bufio.NewWriter(w)
	out.WriteString("% \\usepackage{booktabs}\n")
	if slices.ContainsFunc(d.Tables, func(t Table) bool { return len(t.Rows) > longest }) {
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
		latexTable(out, &d.Tables[i])
	}
	for i := range d.Figures {
		f := &d.Figures[i]
		fmt.Fprintf(out, "\n\\begin{figure}\n  \\centering\n  \\includegraphics[width=\\linewidth]{figures/%s}\n  \\caption{%s}\n  \\label{fig:%s}\n\\end{figure}\n",
			slug(f.Name), texed(f.Caption), slug(f.Name))
	}
	return out.Flush()
}

// longest is how many rows a table on one page has; one with more is broken over pages.
const longest = 45

// latexTable leaves write errors to the Flush of its caller.
func latexTable(out *bufio.Writer, t *Table) {
	spec, head := "", make([]string, len(t.Columns))
	for i, c := range t.Columns {
		if c.Right {
			spec += "r"
		} else {
			spec += "l"
		}
		head[i] = cmp.Or(c.LaTeX, texed(c.Head))
	}
	label := ""
	if t.Name != "" {
		label = "\\label{tab:" + slug(t.Name) + "}"
	}
	top := "    \\toprule\n    " + strings.Join(head, " & ") + " \\\\\n    \\midrule\n"
	if len(t.Rows) > longest {
		fmt.Fprintf(out, "\\begingroup\n  \\footnotesize\\setlength{\\tabcolsep}{4pt}\n  \\begin{longtable}{%s}\n    \\caption{%s}%s\\\\\n%s    \\endfirsthead\n%s    \\endhead\n    \\bottomrule\n    \\endfoot\n", spec, texed(t.Caption), label, top, top)
		latexRows(out, t)
		out.WriteString("  \\end{longtable}\n" + latexNotes(t) + "\\endgroup\n")
		return
	}
	fmt.Fprintf(out, "\\begin{table}\n  \\centering\\footnotesize\\setlength{\\tabcolsep}{4pt}\n  \\caption{%s}%s\n  \\begin{tabular}{%s}\n%s", texed(t.Caption), label, spec, top)
	latexRows(out, t)
	out.WriteString("    \\bottomrule\n  \\end{tabular}\n" + latexNotes(t) + "\\end{table}\n")
}

func latexRows(out *bufio.Writer, t *Table) {
	for _, r := range t.Rows {
		if r.Rule {
			out.WriteString("    \\midrule\n")
		}
		cells := make([]string, len(t.Columns))
		for i := range t.Columns {
			cells[i] = texed(r.cell(i))
		}
		// A line that begins so would be read as an argument of the \\ before it.
		if strings.HasPrefix(cells[0], "[") || strings.HasPrefix(cells[0], "*") {
			cells[0] = "{}" + cells[0]
		}
		out.WriteString("    " + strings.Join(cells, " & ") + " \\\\\n")
	}
}

func latexNotes(t *Table) string {
	notes := ""
	for _, n := range t.Notes {
		notes += "  \\par\\smallskip\\footnotesize " + texed(n) + "\n"
	}
	return notes
}

// slug keeps what a label and a file name may hold.
func slug(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
}

// texed escapes a text for LaTeX.
func texed(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range terminal.Visible(s) {
		switch r {
		case '\\':
			b.WriteString(`\textbackslash{}`)
		case '{', '}', '$', '&', '#', '_', '%':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '~':
			b.WriteString(`\textasciitilde{}`)
		case '^':
			b.WriteString(`\textasciicircum{}`)
		case '<':
			b.WriteString(`\textless{}`)
		case '>':
			b.WriteString(`\textgreater{}`)
		case '|':
			b.WriteString(`\textbar{}`)
		case '"':
			b.WriteString(`\textquotedbl{}`)
		case '`':
			b.WriteString(`\textasciigrave{}`)
		case '-', '\'':
			if last == r {
				b.WriteString("{}") // two would become one
			}
			b.WriteRune(r)
		case '«': // around the name of a character that cannot be seen
			b.WriteByte('[')
		case '»':
			b.WriteByte(']')
		case '–':
			b.WriteString("--")
		case '—':
			b.WriteString("---")
		case '…':
			b.WriteString(`\ldots{}`)
		case '±':
			b.WriteString(`$\pm$`)
		case '×':
			b.WriteString(`$\times$`)
		case '≤':
			b.WriteString(`$\leq$`)
		case '≥':
			b.WriteString(`$\geq$`)
		case '−':
			b.WriteString(`$-$`)
		case '“', '”', '‘', '’':
			b.WriteRune(r)
		default:
			switch {
			case r < 0x80, r <= 0xFF && unicode.IsLetter(r):
				b.WriteRune(r)
			default:
				fmt.Fprintf(&b, "\\texttt{[U+%04X]}", r)
			}
		}
		last = r
	}
	return b.String()
}
