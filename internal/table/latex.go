package table

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"

	"verbatim/internal/terminal"
)

// longest is the maximum number of rows of a LaTeX table on one page.
const longest = 45

// IsLong reports whether LaTeX breaks the table over pages.
func (t *Table) IsLong() bool { return len(t.Rows) > longest }

// latex writes a document for a paper, which must load the packages booktabs and longtable.
func latex(w io.Writer, d *Document, _ terminal.Style) error {
	var b strings.Builder
	b.WriteString("% \\usepackage{booktabs}\n% \\usepackage{longtable}\n")
	for _, block := range d.Body(0) {
		latexBlock(&b, block)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func latexBlock(b *strings.Builder, block Block) {
	switch block := block.(type) {
	case Heading:
		b.WriteString("\n\\section*{" + LaTeXText(block.Text) + "}\n")
	case Paragraph:
		if block.Text != "" {
			b.WriteString("\n" + LaTeXText(block.Text) + "\n")
		}
	case Facts:
		if len(block) == 0 {
			return
		}
		b.WriteString("\n\\begin{description}\n")
		for _, f := range block {
			b.WriteString("  \\item[" + LaTeXText(f.Name) + "] " + LaTeXText(strings.Join(f.Parts, "; ")) + "\n")
		}
		b.WriteString("\\end{description}\n")
	case List:
		if len(block.Items) == 0 {
			return
		}
		b.WriteString("\n\\begin{itemize}\n")
		for _, item := range block.Items {
			b.WriteString("  \\item{} " + LaTeXText(strings.TrimSpace(item.Text+" "+item.Command)) + "\n")
		}
		b.WriteString("\\end{itemize}\n")
	case Command:
		b.WriteString("\n\\texttt{" + LaTeXText(string(block)) + "}\n")
	case *Table:
		b.WriteString("\n")
		WriteLaTeX(b, block)
	}
}

// WriteLaTeX writes a table as a float, or as a longtable if it IsLong. It ignores errors of w: use a
// writer that holds them.
func WriteLaTeX(w io.Writer, t *Table) {
	b := new(strings.Builder)
	defer func() { io.WriteString(w, b.String()) }()
	columns := t.filled()
	spec, heads := "", make([]string, len(columns))
	for n, i := range columns {
		if t.Columns[i].Right {
			spec += "r"
		} else {
			spec += "l"
		}
		heads[n] = cmp.Or(t.Columns[i].LaTeX, LaTeXText(t.Columns[i].Head))
	}
	caption := ""
	if t.Caption != "" {
		caption = "\\caption{" + LaTeXText(t.Caption) + "}"
	}
	if t.Name != "" {
		caption += "\\label{tab:" + Slug(t.Name) + "}"
	}
	top := "    \\toprule\n    " + strings.Join(heads, " & ") + " \\\\\n    \\midrule\n"
	if t.IsLong() {
		if caption != "" {
			caption = "    " + caption + "\\\\\n"
		}
		fmt.Fprintf(b, "\\begingroup\n  \\footnotesize\\setlength{\\tabcolsep}{4pt}\n  \\begin{longtable}{%s}\n%s%s    \\endfirsthead\n%s    \\endhead\n    \\bottomrule\n    \\endfoot\n", spec, caption, top, top)
		latexRows(b, t, columns)
		b.WriteString("  \\end{longtable}\n" + latexNotes(t) + "\\endgroup\n")
		return
	}
	if caption != "" {
		caption = "  " + caption + "\n"
	}
	fmt.Fprintf(b, "\\begin{table}\n  \\centering\\footnotesize\\setlength{\\tabcolsep}{4pt}\n%s  \\begin{tabular}{%s}\n%s", caption, spec, top)
	latexRows(b, t, columns)
	b.WriteString("    \\bottomrule\n  \\end{tabular}\n" + latexNotes(t) + "\\end{table}\n")
}

func latexRows(b *strings.Builder, t *Table, columns []int) {
	for r := range t.Rows {
		if t.Rows[r].Rule {
			b.WriteString("    \\midrule\n")
		}
		cells := make([]string, len(columns))
		for n, i := range columns {
			cells[n] = LaTeXText(t.Rows[r].Cell(i))
		}
		// A line that begins so would be read as an argument of the \\ before it.
		if len(cells) > 0 && (strings.HasPrefix(cells[0], "[") || strings.HasPrefix(cells[0], "*")) {
			cells[0] = "{}" + cells[0]
		}
		b.WriteString("    " + strings.Join(cells, " & ") + " \\\\\n")
	}
}

func latexNotes(t *Table) string {
	notes := ""
	for _, n := range t.Notes {
		notes += "  \\par\\smallskip\\footnotesize " + LaTeXText(n) + "\n"
	}
	return notes
}

// Slug returns s with hyphens for all characters other than ASCII letters and digits, for labels
// and file names.
func Slug(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, s)
}

// LaTeXText escapes a text for LaTeX. Characters that pdflatex cannot set are named, as "[U+4E2D]".
func LaTeXText(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range terminal.SafeLine(s) {
		switch name := latexName(r); {
		case name != "":
			b.WriteString(name)
		case strings.ContainsRune(`{}$&#_%`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == last && (r == '-' || r == '\''):
			b.WriteString("{}") // two would become one
			b.WriteRune(r)
		case r < 0x80, r <= 0xFF && unicode.IsLetter(r), strings.ContainsRune("“”‘’", r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\texttt{[U+%04X]}", r)
		}
		last = r
	}
	return b.String()
}

// latexName returns the LaTeX command for a character; "" if it has none.
func latexName(r rune) string {
	switch r {
	case '\\':
		return `\textbackslash{}`
	case '~':
		return `\textasciitilde{}`
	case '^':
		return `\textasciicircum{}`
	case '<':
		return `\textless{}`
	case '>':
		return `\textgreater{}`
	case '|':
		return `\textbar{}`
	case '"':
		return `\textquotedbl{}`
	case '`':
		return `\textasciigrave{}`
	case '«': // Visible puts « and » around the name of a character
		return "["
	case '»':
		return "]"
	case '–':
		return "--"
	case '—':
		return "---"
	case '…':
		return `\ldots{}`
	case '±':
		return `$\pm$`
	case '×':
		return `$\times$`
	case '≤':
		return `$\leq$`
	case '≥':
		return `$\geq$`
	case '−':
		return `$-$`
	}
	return ""
}
