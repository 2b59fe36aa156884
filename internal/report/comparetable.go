package report

import (
	"math"
	"strings"

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
func compareColumns(narrow bool) []compareColumn {
	decimals := 3
	if narrow {
		decimals = 2
	}
	return []compareColumn{
		{"n", 0, true, func(r *verdict.Row) string { return count(r.Items) }},
		{"exact A", 3, true, func(r *verdict.Row) string { return percent(&r.A.Share) }},
		{"exact B", 3, true, func(r *verdict.Row) string { return percent(&r.B.Share) }},
		{"half right A", 5, true, func(r *verdict.Row) string { return lengthText(r.A.Limit) }},
		{"half right B", 5, true, func(r *verdict.Row) string { return lengthText(r.B.Limit) }},
		{"A", 0, true, func(r *verdict.Row) string { return plainNumber(r.A.Mean, 3) }},
		{"B", 0, true, func(r *verdict.Row) string { return plainNumber(r.B.Mean, 3) }},
		{"B-A", 0, true, func(r *verdict.Row) string { return signed(r.Difference.Value, 3) }},
		{"95 %", 0, true, func(r *verdict.Row) string { return spanOf(r.Difference.Range, decimals) }},
		{"P worse", 4, true, func(r *verdict.Row) string { return chance(r.Difference.Worse) }},
		{"equiv.", 4, true, func(r *verdict.Row) string { return chance(r.Difference.Equivalent) }},
		{"better", 4, true, func(r *verdict.Row) string { return chance(r.Difference.Better) }},
		{"p (Holm)", 4, true, func(r *verdict.Row) string { return pValue(r.Adjusted) }},
		{"verdict", 0, false, func(r *verdict.Row) string { return wordCell(r.Word) }},
		{"items to settle", 2, true, func(r *verdict.Row) string { return settleCell(r.Settle) }},
	}
}

// wordCell is a verdict in a table, where nothing stands for nothing known.
func wordCell(w verdict.Word) string {
	if w == verdict.Inconclusive {
		return "?"
	}
	return string(w)
}

// rowTable writes rows with as many columns as fit, and the intervals as a drawing
// where there is room for one.
func rowTable(b *strings.Builder, head string, rows []verdict.Row, c *verdict.Comparison, s Style) {
	cols := compareColumns(s.width() < narrow)
	names := make([]string, len(rows))
	name := wide(head)
	for i := range rows {
		names[i] = rowName(&rows[i])
		name = max(name, wide(names[i]))
	}
	name = min(name, max(s.width()-66, 12))
	widths := make([]int, len(cols))
	for i, col := range cols {
		said := false
		for j := range rows {
			cell := col.cell(&rows[j])
			said = said || !silent(cell)
			widths[i] = max(widths[i], wide(cell))
		}
		if widths[i] = max(widths[i], wide(col.head)); !said {
			widths[i] = -1
		}
	}
	keep := make([]bool, len(cols))
	room := s.width() - name
	drawing := 0
	const drawingRank, leastDrawing, mostDrawing = 1, 16, 41
	for rank := range 6 {
		if rank == drawingRank {
			if room >= leastDrawing+gap {
				drawing = min(mostDrawing, max(leastDrawing, room/2))
				room -= drawing + gap
			}
			continue
		}
		need := 0
		for i, col := range cols {
			if col.rank == rank && widths[i] >= 0 {
				need += gap + widths[i]
			}
		}
		if need > room && rank > 0 {
			continue
		}
		room -= need
		for i, col := range cols {
			keep[i] = keep[i] || col.rank == rank && widths[i] >= 0
		}
	}
	f := newForest(rows, c.Rope, drawing)
	line := func(first string, cell func(i int) string, picture string) string {
		var out strings.Builder
		out.WriteString(left(cut(first, name), name))
		for i, col := range cols {
			if !keep[i] {
				continue
			}
			if col.head == "verdict" && drawing > 0 {
				out.WriteString(strings.Repeat(" ", gap) + left(picture, drawing))
			}
			out.WriteString(strings.Repeat(" ", gap))
			if col.right {
				out.WriteString(right(cell(i), widths[i]))
			} else {
				out.WriteString(left(cell(i), widths[i]))
			}
		}
		return strings.TrimRight(out.String(), " ")
	}
	b.WriteString(s.paint(faint, line(head, func(i int) string { return cols[i].head }, f.scale())) + "\n")
	for i := range rows {
		b.WriteString(line(names[i], func(j int) string { return cols[j].cell(&rows[i]) }, f.draw(&rows[i].Difference)) + "\n")
	}
}

func rowName(r *verdict.Row) string {
	return strings.TrimSpace(Visible(r.Family) + " " + Visible(r.Length))
}

// A forest draws intervals of differences on a common scale.
type forest struct {
	low, high, rope float64
	width           int
}

// newForest scales the drawing to hold every interval, zero and the region of
// practical equivalence.
func newForest(rows []verdict.Row, rope float64, width int) forest {
	f := forest{low: -2 * rope, high: 2 * rope, rope: rope, width: width}
	for i := range rows {
		f.low, f.high = min(f.low, rows[i].Difference.Low), max(f.high, rows[i].Difference.High)
	}
	if f.low == f.high {
		f.low, f.high = -1, 1
	}
	return f
}

// at returns the column of a value.
func (f forest) at(v float64) int {
	return max(0, min(f.width-1, int(math.Round((v-f.low)/(f.high-f.low)*float64(f.width-1)))))
}

// draw draws one interval: ─ from end to end with ● at the difference, over the
// region of practical equivalence (░) and zero (│).
func (f forest) draw(d *verdict.Difference) string {
	if f.width == 0 {
		return ""
	}
	cells := make([]rune, f.width)
	for i := range cells {
		cells[i] = ' '
	}
	for i := f.at(-f.rope); i <= f.at(f.rope); i++ {
		cells[i] = '░'
	}
	cells[f.at(0)] = '│'
	for i := f.at(d.Low); i <= f.at(d.High); i++ {
		cells[i] = '─'
	}
	cells[f.at(d.Value)] = '●'
	return string(cells)
}

// scale prints the ends of the drawing above it.
func (f forest) scale() string {
	if f.width == 0 {
		return ""
	}
	low, high := signed(f.low, 2), signed(f.high, 2)
	return low + strings.Repeat(" ", max(1, f.width-wide(low)-wide(high))) + high
}

// summaryText writes the verdicts of several comparisons as one table.
func summaryText(b *strings.Builder, list []*verdict.Comparison, s Style) {
	head := []string{"A", "B", "n", "score A", "B", "B-A", "95 %", "verdict"}
	rows := [][]string{head}
	for _, c := range list {
		a, other := pairNames(c)
		rows = append(rows, []string{a, other, count(c.Items), plainNumber(c.A.Mean, 3), plainNumber(c.B.Mean, 3), signed(c.Difference.Value, 3), spanOf(c.Difference.Range, 3), string(c.Word)})
	}
	widths := make([]int, len(head))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], wide(cell))
		}
	}
	names := s.width() - 7*gap
	for _, w := range widths[2:] {
		names -= w
	}
	half := max(names/2, 8)
	widths[0], widths[1] = min(widths[0], max(half, names-widths[1])), min(widths[1], max(half, names-widths[0]))
	for n, r := range rows {
		var line strings.Builder
		for i, cell := range r {
			switch {
			case i > 0:
				line.WriteString(strings.Repeat(" ", gap))
				fallthrough
			default:
				if i < 2 || i == len(r)-1 {
					line.WriteString(left(cut(cell, widths[i]), widths[i]))
				} else {
					line.WriteString(right(cell, widths[i]))
				}
			}
		}
		text := strings.TrimRight(line.String(), " ")
		if n == 0 {
			text = s.paint(faint, text)
		}
		b.WriteString(text + "\n")
	}
	if m := list[0].Threshold; m > 0.95+1e-9 {
		b.WriteString(s.paint(faint, "all pairs: a verdict takes a probability of "+bare(math.Round(m*1e5)/1e5)) + "\n")
	}
}
