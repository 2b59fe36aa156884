package report

import (
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/verdict"
)

// CompareText writes comparisons for a terminal: of each the verdict in a sentence
// and the numbers that it comes from, in the width that the style gives. Several
// have a table of all verdicts above them.
func CompareText(w io.Writer, c *Compared, s Style) error {
	var b strings.Builder
	if c.Ranking != nil {
		rankingText(&b, c.Ranking, s)
	}
	if len(c.Comparisons) > 1 {
		summaryText(&b, c.Comparisons, s)
	}
	for i, one := range c.Comparisons {
		if i > 0 || len(c.Comparisons) > 1 {
			b.WriteString("\n" + s.paint(faint, strings.Repeat("─", min(s.width(), 80))) + "\n\n")
		}
		comparisonText(&b, one, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// comparisonText writes one comparison.
func comparisonText(b *strings.Builder, c *verdict.Comparison, s Style) {
	for _, line := range wrapped(sentence(c), s.width()) {
		b.WriteString(s.paint(strong, line) + "\n")
	}
	if text := settling(c.ItemsNeeded); text != "" {
		b.WriteString(strings.Join(wrapped(text, s.width()), "\n") + "\n")
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
		for _, line := range wrapped(text, s.width()) {
			b.WriteString(s.paint(faint, line) + "\n")
		}
	}
	flipText(b, c, s)
	if len(c.Notes)+len(c.Warnings) > 0 {
		b.WriteString("\n")
	}
	for _, n := range c.Notes {
		for i, line := range wrapped(Visible(n.Text), s.width()-2) {
			mark := "  "
			if i == 0 {
				mark = "· "
			}
			b.WriteString(s.paint(faint, mark+line) + "\n")
		}
	}
	b.WriteString(warnings(doubtsOf(c), s))
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

func doubtsOf(c *verdict.Comparison) []Warning {
	var list []Warning
	for _, w := range c.Warnings {
		list = append(list, Warning(w))
	}
	return list
}

// compareHead says what is compared.
func compareHead(c *verdict.Comparison) []fact {
	list := []fact{{"A", armParts(&c.A)}, {"B", armParts(&c.B)}}
	compared := []string{count(c.Items) + " items that both answered"}
	if c.A.Answers != c.Items || c.B.Answers != c.Items {
		compared = append(compared, count(c.A.Answers)+" answers of A, "+count(c.B.Answers)+" of B")
	}
	if n := len(c.Families); n > 1 {
		compared = append(compared, shape(n, len(c.Lengths)))
	}
	compared = append(compared, "score: "+scoreName(c), "equivalent: within ±"+bare(c.Rope))
	return append(list, fact{"compared", compared})
}

// shape counts tasks and lengths.
func shape(tasks, lengths int) string {
	if lengths > 1 {
		return fmt.Sprintf("%d tasks, %d lengths", tasks, lengths)
	}
	return fmt.Sprintf("%d tasks", tasks)
}

func scoreName(c *verdict.Comparison) string { return On(c.On).String() }

func armParts(a *verdict.ComparedRun) []string {
	parts := []string{Visible(a.Model)}
	if a.N > 0 {
		parts = append(parts, "run "+count(a.N), Visible(a.Name))
	} else {
		parts = append(parts, Visible(a.Name))
	}
	if a.Origin != "" {
		parts = append(parts, "imported from "+Visible(a.Origin))
	}
	for _, p := range parameters(a.Params) {
		parts = append(parts, Visible(p))
	}
	if a.Note != "" {
		parts = append(parts, Visible(a.Note))
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
	difference := func(d *verdict.Difference) string { return signed(d.Value, 3) + " (" + spanOf(d.Range, decimals) + ")" }
	rows := [][4]string{
		{"", "A", "B", "B-A (95 %)"},
		{"score", plainNumber(c.A.Mean, 3), plainNumber(c.B.Mean, 3), difference(&c.Difference)},
		{"exact", shareText(&c.A.SideResult, decimals-2), shareText(&c.B.SideResult, decimals-2), difference(&c.Success.Difference)},
		{"right alone", count(c.Flips.OnlyA), count(c.Flips.OnlyB), "p " + pValue(c.Success.P)},
	}
	if repeated(c) {
		rows[3][0] = "ahead on"
	}
	if c.A.Horizon != nil || c.B.Horizon != nil {
		rows = append(rows, [4]string{"half right to", lengthText(c.A.Horizon), lengthText(c.B.Horizon), ""})
	}
	for i, o := range c.A.Outcomes {
		if n, m := o.N, c.B.Outcomes[i].N; n+m > 0 {
			rows = append(rows, [4]string{"  " + o.Name, count(n), count(m), ""})
		}
		if o.Name == string(verbatim.Limit) && c.A.Undecided+c.B.Undecided > 0 {
			rows = append(rows, [4]string{"  undecided", count(c.A.Undecided), count(c.B.Undecided), ""})
		}
	}
	return rows
}

// sideBySide writes what both sides have.
func sideBySide(b *strings.Builder, c *verdict.Comparison, s Style) {
	rows := sideRows(c, false)
	widths := sideWidths(rows)
	if widths[0]+widths[1]+widths[2]+widths[3]+3*gap > s.width() {
		rows = sideRows(c, true)
		widths = sideWidths(rows)
	}
	for i, r := range rows {
		line := left(r[0], widths[0]) + "  " + left(r[1], widths[1]) + "  " + left(r[2], widths[2]) + "  " + r[3]
		line = strings.TrimRight(line, " ")
		if i == 0 || strings.HasPrefix(r[0], "  ") {
			line = s.paint(faint, line)
		}
		b.WriteString(line + "\n")
	}
}

func sideWidths(rows [][4]string) (widths [4]int) {
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], wide(cell))
		}
	}
	return widths
}

// repeated reports whether items were asked more than once.
func repeated(c *verdict.Comparison) bool { return c.A.Answers != c.Items || c.B.Answers != c.Items }

// compareFacts are the probabilities and the scope of the claim.
func compareFacts(c *verdict.Comparison) []fact {
	d := &c.Difference
	list := []fact{{"chances", []string{"B worse " + chance(d.Worse), "equivalent " + chance(d.Equivalent), "B better " + chance(d.Better),
		"a verdict takes " + bare(round5(c.Threshold))}}}
	if c.Tasks != nil {
		list = append(list, fact{"scope", []string{"fresh items of the same tasks and lengths",
			fmt.Sprintf("on other tasks like these %d: %s (95 %%)", c.Tasks.N, spanOf(c.Tasks.Range, 3))}})
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
			parts = append(parts, count(p.n)+" "+p.text)
		}
	}
	return parts
}
