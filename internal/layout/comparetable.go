package layout

import (
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A compareColumn is one figure of the rows of a comparison. Columns of a higher
// rank give way first on a narrow terminal.
type compareColumn struct {
	head  string
	rank  int
	right bool
	cell  func(*verdict.Row) string
}

// compareColumns lists the figures in the order in which they stand.
func compareColumns(decimals int) []compareColumn {
	return []compareColumn{
		{"n", 0, true, func(r *verdict.Row) string { return number.Count(r.Items) }},
		{"exact A", 3, true, func(r *verdict.Row) string { return number.Percent(&r.A.Share) }},
		{"exact B", 3, true, func(r *verdict.Row) string { return number.Percent(&r.B.Share) }},
		{"half right A", 5, true, func(r *verdict.Row) string { return HorizonText(r.A.Horizon) }},
		{"half right B", 5, true, func(r *verdict.Row) string { return HorizonText(r.B.Horizon) }},
		{"A", 0, true, func(r *verdict.Row) string { return number.Fixed(r.A.Mean, 3) }},
		{"B", 0, true, func(r *verdict.Row) string { return number.Fixed(r.B.Mean, 3) }},
		{"B-A", 0, true, func(r *verdict.Row) string { return number.Signed(r.Difference.Value, 3) }},
		{"95 %", 0, true, func(r *verdict.Row) string { return number.SignedRange(r.Difference.Low, r.Difference.High, decimals) }},
		{"P worse", 4, true, func(r *verdict.Row) string { return number.Probability(r.Difference.Worse) }},
		{"equiv.", 4, true, func(r *verdict.Row) string { return number.Probability(r.Difference.Equivalent) }},
		{"better", 4, true, func(r *verdict.Row) string { return number.Probability(r.Difference.Better) }},
		{"p (Holm)", 4, true, func(r *verdict.Row) string { return number.PValue(r.Adjusted) }},
		{"verdict", 0, false, wordCell},
	}
}

// wordCell is a verdict in a table. What is not known is a question mark, with how
// many more items would tell.
func wordCell(r *verdict.Row) string {
	switch {
	case r.Word != verdict.Inconclusive:
		return string(r.Word)
	case r.ItemsNeeded == nil || r.ItemsNeeded.More == nil:
		return "? edge"
	}
	return "? +" + number.Rough(*r.ItemsNeeded.More)
}

// legend explains the marks of the tables that have any.
func legend(tables []compareTable) string {
	for _, t := range tables {
		for i := range t.rows {
			if t.rows[i].Word == verdict.Inconclusive {
				return "? not known yet, and about how many more items of the row would tell (edge: no number would)"
			}
		}
	}
	return ""
}

// rowTable writes rows with as many columns as fit, and the intervals as a drawing
// where there is room for one.
func rowTable(b *strings.Builder, head string, rows []verdict.Row, c *verdict.Comparison, s terminal.Style) {
	t := newRowLayout(head, rows, s)
	f := newForestPlot(rows, c.Rope, t.drawing)
	b.WriteString(s.Paint(terminal.Faint, t.line(head, func(i int) string { return t.cols[i].head }, f.scale())) + "\n")
	for i := range rows {
		r := &rows[i]
		b.WriteString(t.line(rowName(r), func(j int) string { return t.cols[j].cell(r) }, f.draw(&r.Difference)) + "\n")
	}
}

// A rowLayout says which columns stand in a table of a width, and how wide.
type rowLayout struct {
	cols    []compareColumn
	widths  []int
	name    int // width of the first column
	drawing int // width of the intervals; 0: they are not drawn
}

func newRowLayout(head string, rows []verdict.Row, s terminal.Style) *rowLayout {
	const drawingRank, leastDrawing, mostDrawing, lastRank = 1, 16, 41, 5
	t := &rowLayout{name: terminal.Width(head)}
	for i := range rows {
		t.name = max(t.name, terminal.Width(rowName(&rows[i])))
	}
	all := compareColumns(rangeDecimals(rows, s.Columns() < narrow))
	widths := columnWidths(all, rows)
	room := s.Columns()
	keep := make([]bool, len(all))
	for rank := 0; rank <= lastRank; rank++ {
		need := 0
		for i, col := range all {
			if col.rank == rank && widths[i] >= 0 {
				need += gap + widths[i]
			}
		}
		if rank == 0 {
			t.name = min(t.name, max(room-need, 12))
			room -= t.name
		}
		if rank == drawingRank && room >= leastDrawing+gap {
			t.drawing = min(mostDrawing, max(leastDrawing, room/2))
			room -= t.drawing + gap
		}
		if need > room && rank > 0 {
			continue
		}
		room -= need
		for i, col := range all {
			keep[i] = keep[i] || col.rank == rank && widths[i] >= 0
		}
	}
	for i := range all {
		if keep[i] {
			t.cols, t.widths = append(t.cols, all[i]), append(t.widths, widths[i])
		}
	}
	return t
}

// rangeDecimals is how many digits the ends of the intervals have: two in a narrow
// table, unless some end would look like the other.
func rangeDecimals(rows []verdict.Row, tight bool) int {
	const near = 0.03
	for i := range rows {
		if d := &rows[i].Difference; d.High-d.Low < near {
			tight = false
		}
	}
	if tight {
		return 2
	}
	return 3
}

// columnWidths returns how wide the columns are; -1: it says nothing in any row.
func columnWidths(cols []compareColumn, rows []verdict.Row) []int {
	widths := make([]int, len(cols))
	for i, col := range cols {
		said := false
		for j := range rows {
			cell := col.cell(&rows[j])
			said = said || !isEmpty(cell)
			widths[i] = max(widths[i], terminal.Width(cell))
		}
		if widths[i] = max(widths[i], terminal.Width(col.head)); !said {
			widths[i] = -1
		}
	}
	return widths
}

// line lays one line out, with the drawing before the verdict.
func (t *rowLayout) line(first string, cell func(i int) string, picture string) string {
	var out strings.Builder
	out.WriteString(terminal.PadRight(terminal.Truncate(first, t.name), t.name))
	for i, col := range t.cols {
		if col.head == "verdict" && t.drawing > 0 {
			out.WriteString(strings.Repeat(" ", gap) + terminal.PadRight(picture, t.drawing))
		}
		out.WriteString(strings.Repeat(" ", gap))
		if col.right {
			out.WriteString(terminal.PadLeft(cell(i), t.widths[i]))
		} else {
			out.WriteString(terminal.PadRight(cell(i), t.widths[i]))
		}
	}
	return strings.TrimRight(out.String(), " ")
}

func rowName(r *verdict.Row) string {
	return strings.TrimSpace(terminal.Visible(r.Family) + " " + terminal.Visible(r.Length))
}

// summaryText writes the verdicts of several comparisons as one table.
func summaryText(b *strings.Builder, list []*verdict.Comparison, s terminal.Style) {
	summarySheet(list).write(b, s)
	if note := pairsNote(list); note != "" {
		b.WriteString(s.Paint(terminal.Faint, note) + "\n")
	}
}

func summarySheet(list []*verdict.Comparison) *sheet {
	t := &sheet{head: []sheetColumn{
		{"A", 0, false, 8}, {"B", 0, false, 8}, {"n", 3, true, 0}, {"score A", 1, true, 0}, {"B", 1, true, 0}, {"B-A", 0, true, 0}, {"95 %", 0, true, 0},
		{"P worse", 2, true, 0}, {"equiv.", 2, true, 0}, {"better", 2, true, 0}, {"verdict", 0, false, 0},
	}}
	for _, c := range list {
		a, other := PairNames(c)
		d := &c.Difference
		t.rows = append(t.rows, []string{a, other, number.Count(c.Items), number.Fixed(c.A.Mean, 3), number.Fixed(c.B.Mean, 3), number.Signed(d.Value, 3), number.SignedRange(d.Low, d.High, 3),
			number.Probability(d.Worse), number.Probability(d.Equivalent), number.Probability(d.Better), string(c.Word)})
	}
	return t
}

// pairsNote says what certainty a verdict takes where all pairs are compared.
func pairsNote(list []*verdict.Comparison) string {
	if t := list[0].Threshold; t > usualThreshold {
		return "all pairs: a verdict takes a probability of " + number.FiveDecimals(t)
	}
	return ""
}

// usualThreshold is that of a single comparison, with room for rounding.
const usualThreshold = 0.95 + 1e-9
