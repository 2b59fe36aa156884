package layout

import (
	"bufio"
	"io"
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// CompareMarkdown writes a section for each comparison, in the dialect that GitHub
// reads. Names that come from outside are escaped.
func CompareMarkdown(w io.Writer, c *report.Compared, s terminal.Style) error {
	out := bufio.NewWriter(w)
	if c.Ranking != nil {
		rankingMarkdown(out, c.Ranking)
	}
	for i, one := range c.Comparisons {
		if i > 0 {
			out.WriteString("\n")
		}
		compareSection(out, one, s)
	}
	return out.Flush()
}

// compareSection leaves write errors to the Flush of its caller.
func compareSection(out *bufio.Writer, c *verdict.Comparison, s terminal.Style) {
	out.WriteString("## " + marked(Sentence(c)) + "\n\n")
	if text := Settling(c.ItemsNeeded); text != "" {
		out.WriteString(text + "\n\n")
	}
	markdownFacts(out, compareHead(c))
	out.WriteString("\n")
	sides := sideRows(c, false)
	sides[0][0] = " "
	for i, r := range sides {
		out.WriteString("| " + marked(strings.TrimSpace(r[0])) + " | " + marked(r[1]) + " | " + marked(r[2]) + " | " + marked(r[3]) + " |\n")
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
	if text := legend(compareTables(c)); text != "" {
		out.WriteString("\n" + text + "\n")
	}
	if len(c.Flips.List) > 0 {
		out.WriteString("\n" + marked(DifferingTitle(c)) + "\n\n")
		for _, l := range differingItems(c, s) {
			out.WriteString("- " + l.side + " ✗ " + marked(l.label) + " " + codeSpan(l.command) + "\n")
		}
	}
	if len(c.Notes) > 0 {
		out.WriteString("\n")
	}
	for _, n := range c.Notes {
		out.WriteString("- " + escaped(n.Text) + "\n")
	}
	markdownWarnings(out, comparisonWarnings(c))
}

func rowsMarkdown(out *bufio.Writer, head string, rows []verdict.Row) {
	var cols []compareColumn
	for _, col := range compareColumns(3) {
		for i := range rows {
			if !isEmpty(col.cell(&rows[i])) {
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
		out.WriteString("| " + marked(rowName(&rows[i])) + " |")
		for _, col := range cols {
			out.WriteString(" " + marked(col.cell(&rows[i])) + " |")
		}
		out.WriteString("\n")
	}
}

// codeSpan sets text that has passed through Visible in a fixed width, to be copied
// as it stands. A backtick would end it early.
func codeSpan(s string) string {
	if strings.Contains(s, "`") {
		return marked(s)
	}
	return "`" + s + "`"
}
