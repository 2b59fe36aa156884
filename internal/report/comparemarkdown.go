package report

import (
	"bufio"
	"io"
	"strings"

	"verbatim/internal/verdict"
)

// CompareMarkdown writes a section for each comparison, in the dialect that GitHub
// reads. Names that come from outside are escaped.
func CompareMarkdown(w io.Writer, c *Compared, _ Style) error {
	out := bufio.NewWriter(w)
	if c.Ranking != nil {
		rankingMarkdown(out, c.Ranking)
	}
	for i, one := range c.Comparisons {
		if i > 0 {
			out.WriteString("\n")
		}
		compareSection(out, one)
	}
	return out.Flush()
}

// compareSection leaves write errors to the Flush of its caller.
func compareSection(out *bufio.Writer, c *verdict.Comparison) {
	out.WriteString("## " + escaped(sentence(c)) + "\n\n")
	if text := settling(c.Settle); text != "" {
		out.WriteString(text + "\n\n")
	}
	markdownFacts(out, compareHead(c))
	out.WriteString("\n")
	sides := sideRows(c)
	sides[0][0] = " "
	for i, r := range sides {
		out.WriteString("| " + escaped(strings.TrimSpace(r[0])) + " | " + escaped(r[1]) + " | " + escaped(r[2]) + " | " + escaped(r[3]) + " |\n")
		if i == 0 {
			out.WriteString("|:--|--:|--:|--:|\n")
		}
	}
	out.WriteString("\n")
	markdownFacts(out, compareFacts(c))
	for _, t := range compareTables(c) {
		out.WriteString("\n")
		rowsMarkdown(out, t.head, t.rows)
	}
	if len(c.Flips.List) > 0 {
		out.WriteString("\n" + escaped(flipHead(c)) + "\n\n")
		for _, l := range flipLines(c) {
			out.WriteString("- " + l.side + " ✗ " + escaped(l.label) + " " + escaped(l.command) + "\n")
		}
	}
	if len(c.Notes) > 0 {
		out.WriteString("\n")
	}
	for _, n := range c.Notes {
		out.WriteString("- " + escaped(n.Text) + "\n")
	}
	markdownWarnings(out, doubtsOf(c))
}

func rowsMarkdown(out *bufio.Writer, head string, rows []verdict.Row) {
	var cols []compareColumn
	for _, col := range compareColumns(false) {
		for i := range rows {
			if !silent(col.cell(&rows[i])) {
				cols = append(cols, col)
				break
			}
		}
	}
	first, rule := "| "+head+" |", "|:--|"
	for _, col := range cols {
		first += " " + col.head + " |"
		if rule += "--:|"; !col.right {
			rule = strings.TrimSuffix(rule, "--:|") + ":--|"
		}
	}
	out.WriteString(first + "\n" + rule + "\n")
	for i := range rows {
		out.WriteString("| " + escaped(rowName(&rows[i])) + " |")
		for _, col := range cols {
			out.WriteString(" " + escaped(col.cell(&rows[i])) + " |")
		}
		out.WriteString("\n")
	}
}
