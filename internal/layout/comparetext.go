package layout

import (
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// CompareText writes comparisons for a terminal: of each the verdict in a sentence
// and the numbers that it comes from, in the width that the style gives. Several
// have a table of all verdicts above them.
func CompareText(w io.Writer, c *report.Compared, s terminal.Style) error {
	var b strings.Builder
	if c.Ranking != nil {
		rankingText(&b, c.Ranking, s)
	}
	if len(c.Comparisons) > 1 {
		summaryText(&b, c.Comparisons, s)
	}
	for i, one := range c.Comparisons {
		if i > 0 || len(c.Comparisons) > 1 {
			b.WriteString("\n" + s.Paint(terminal.Faint, strings.Repeat("─", min(s.Columns(), 80))) + "\n\n")
		}
		comparisonText(&b, one, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// comparisonText writes one comparison.
func comparisonText(b *strings.Builder, c *verdict.Comparison, s terminal.Style) {
	for _, line := range terminal.Wrap(Sentence(c), s.Columns()) {
		b.WriteString(s.Paint(terminal.Bold, line) + "\n")
	}
	if text := Settling(c.ItemsNeeded); text != "" {
		b.WriteString(strings.Join(terminal.Wrap(text, s.Columns()), "\n") + "\n")
	}
	b.WriteString("\n" + facts(compareHead(c), s) + "\n")
	sideBySide(b, c, s)
	b.WriteString("\n" + facts(compareFacts(c), s))
	tables := compareTables(c)
	for _, t := range tables {
		b.WriteString("\n")
		rowTable(b, t.head, t.rows, c, s)
	}
	if text := legend(tables); text != "" {
		for _, line := range terminal.Wrap(text, s.Columns()) {
			b.WriteString(s.Paint(terminal.Faint, line) + "\n")
		}
	}
	differingText(b, c, s)
	if len(c.Notes)+len(c.Warnings) > 0 {
		b.WriteString("\n")
	}
	for _, n := range c.Notes {
		for i, line := range terminal.Wrap(terminal.Visible(n.Text), s.Columns()-2) {
			mark := "  "
			if i == 0 {
				mark = "· "
			}
			b.WriteString(s.Paint(terminal.Faint, mark+line) + "\n")
		}
	}
	b.WriteString(warnings(comparisonWarnings(c), s))
}

// A compareTable is a table of rows with the head of its first column.
type compareTable struct {
	head string
	rows []verdict.Row
}

// compareTables lists the tables that say something.
func compareTables(c *verdict.Comparison) []compareTable {
	var list []compareTable
	for _, t := range []compareTable{{"by task", c.Families}, {"by length", c.Lengths}} {
		if len(t.rows) > 0 {
			list = append(list, t)
		}
	}
	return list
}

func comparisonWarnings(c *verdict.Comparison) []report.Warning {
	var list []report.Warning
	for _, w := range c.Warnings {
		list = append(list, report.Warning(w))
	}
	return list
}

// compareHead says what is compared.
func compareHead(c *verdict.Comparison) []fact {
	list := []fact{{"A", armParts(&c.A)}, {"B", armParts(&c.B)}}
	compared := []string{number.Count(c.Items) + " items that both answered"}
	if c.A.Answers != c.Items || c.B.Answers != c.Items {
		compared = append(compared, number.Count(c.A.Answers)+" answers of A, "+number.Count(c.B.Answers)+" of B")
	}
	if n := len(c.Families); n > 1 {
		compared = append(compared, shape(n, len(c.Lengths)))
	}
	compared = append(compared, "score: "+scoreName(c), "equivalent: within ±"+number.Plain(c.Rope))
	return append(list, fact{"compared", compared})
}

// shape counts tasks and lengths.
func shape(tasks, lengths int) string {
	if lengths > 1 {
		return fmt.Sprintf("%d tasks, %d lengths", tasks, lengths)
	}
	return fmt.Sprintf("%d tasks", tasks)
}

func scoreName(c *verdict.Comparison) string { return report.Metric(c.Metric).String() }

func armParts(a *verdict.ComparedRun) []string {
	parts := []string{terminal.Visible(a.Model)}
	if a.N > 0 {
		parts = append(parts, "run "+number.Count(a.N), terminal.Visible(a.Name))
	} else {
		parts = append(parts, terminal.Visible(a.Name))
	}
	if a.Origin != "" {
		parts = append(parts, "imported from "+terminal.Visible(a.Origin))
	}
	for _, p := range report.ParameterList(a.Params) {
		parts = append(parts, terminal.Visible(p))
	}
	if a.Note != "" {
		parts = append(parts, terminal.Visible(a.Note))
	}
	return parts
}

// sideRows is what both sides have, a column for each, below a head. A tight table
// has its intervals in fewer digits.
func sideRows(c *verdict.Comparison, tight bool) [][4]string {
	decimals := 3
	if tight {
		decimals = 2
	}
	difference := func(d *verdict.Difference) string {
		return number.Signed(d.Value, 3) + " (" + number.SignedRange(d.Low, d.High, decimals) + ")"
	}
	rows := [][4]string{
		{"", "A", "B", "B-A (95 %)"},
		{"score", number.Fixed(c.A.Mean, 3), number.Fixed(c.B.Mean, 3), difference(&c.Difference)},
		{"exact", shareText(&c.A.SideResult, decimals-2), shareText(&c.B.SideResult, decimals-2), difference(&c.Success.Difference)},
		{"right alone", number.Count(c.Flips.OnlyA), number.Count(c.Flips.OnlyB), "p " + number.PValue(c.Success.P)},
	}
	if repeated(c) {
		rows[3][0] = "ahead on"
	}
	if c.A.Horizon != nil || c.B.Horizon != nil {
		rows = append(rows, [4]string{"half right to", HorizonText(c.A.Horizon), HorizonText(c.B.Horizon), ""})
	}
	for i, o := range c.A.Outcomes {
		if n, m := o.N, c.B.Outcomes[i].N; n+m > 0 {
			rows = append(rows, [4]string{"  " + o.Name, number.Count(n), number.Count(m), ""})
		}
		if o.Name == string(verbatim.Truncated) && c.A.Undecided+c.B.Undecided > 0 {
			rows = append(rows, [4]string{"  undecided", number.Count(c.A.Undecided), number.Count(c.B.Undecided), ""})
		}
	}
	return rows
}

// sideBySide writes what both sides have.
func sideBySide(b *strings.Builder, c *verdict.Comparison, s terminal.Style) {
	rows := sideRows(c, false)
	widths := sideWidths(rows)
	if widths[0]+widths[1]+widths[2]+widths[3]+3*gap > s.Columns() {
		rows = sideRows(c, true)
		widths = sideWidths(rows)
	}
	for i, r := range rows {
		line := terminal.PadRight(r[0], widths[0]) + "  " + terminal.PadRight(r[1], widths[1]) + "  " + terminal.PadRight(r[2], widths[2]) + "  " + r[3]
		line = strings.TrimRight(line, " ")
		if i == 0 || strings.HasPrefix(r[0], "  ") {
			line = s.Paint(terminal.Faint, line)
		}
		b.WriteString(line + "\n")
	}
}

func sideWidths(rows [][4]string) (widths [4]int) {
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], terminal.Width(cell))
		}
	}
	return widths
}

// repeated reports whether items were asked more than once.
func repeated(c *verdict.Comparison) bool { return c.A.Answers != c.Items || c.B.Answers != c.Items }

// compareFacts are the probabilities and the scope of the claim.
func compareFacts(c *verdict.Comparison) []fact {
	d := &c.Difference
	list := []fact{{"chances", []string{"B worse " + number.Probability(d.Worse), "equivalent " + number.Probability(d.Equivalent), "B better " + number.Probability(d.Better),
		"a verdict takes " + number.FiveDecimals(c.Threshold)}}}
	if c.Tasks != nil {
		list = append(list, fact{"scope", []string{"fresh items of the same tasks and lengths",
			fmt.Sprintf("on other tasks like these %d: %s (95 %%)", c.Tasks.N, number.SignedRange(c.Tasks.Low, c.Tasks.High, 3))}})
	}
	left := leftParts(&c.LeftOut)
	if len(left) > 0 {
		list = append(list, fact{"left out", left})
	}
	return list
}

func leftParts(l *verdict.LeftOut) []string {
	var parts []string
	for _, p := range []struct {
		n    int64
		text string
	}{
		{l.OnlyA, "not in B"}, {l.OnlyB, "not in A"},
		{l.UnansweredA, "without an answer of A"}, {l.UnansweredB, "without an answer of B"}, {l.Neither, "without an answer of either"},
	} {
		if p.n > 0 {
			parts = append(parts, number.Count(p.n)+" "+p.text)
		}
	}
	return parts
}
