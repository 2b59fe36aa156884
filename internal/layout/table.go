package layout

import (
	"strings"

	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// A runTable is the table of a run, laid out for one width.
type runTable struct {
	style   terminal.Style
	rows    []row
	cols    []column
	widths  []int         // of cols
	grid    *grid         // nil: each length has a row
	lengths []report.Line // all families by length, drawn below a grid
	name    int           // width of the first column
	drawing int           // width of the bars, or of the grid
	tail    int           // width of the failures; 0: they are below the rows
}

// newTable lays out the table of a run for the width of a style. A column is left out if there is
// no room for it and the others of its rank.
func newTable(b *report.Block, everyLength bool, s terminal.Style) *runTable {
	t := &runTable{style: s, rows: rows(b, everyLength)}
	t.fit()
	all := columns(b, isNarrow(s.Columns()))
	if len(t.rows) > screenful && !everyLength {
		t.across(b, all)
	}
	widths := t.measure(all)
	room := t.yield(all, widths)
	keep := make([]bool, len(all))
	const tailRank, lastRank = 5, 8 // of the failures, and of columns
	for rank := 0; rank <= lastRank; rank++ {
		if rank == tailRank && room >= leastFailures+gap && len(b.Total.Failures) > 0 {
			t.tail = min(room-gap, ampleFailures)
			room -= t.tail + gap
		}
		room = choose(all, widths, keep, rank, room)
	}
	for i := range all {
		if keep[i] {
			t.cols, t.widths = append(t.cols, all[i]), append(t.widths, widths[i])
		}
	}
	t.spread(room)
	return t
}

// across puts the lengths side by side, if they fit next to the columns that are never left out.
func (t *runTable) across(b *report.Block, cols []column) {
	g := newGrid(b.Families)
	if g == nil {
		return
	}
	down := t.rows
	t.rows = g.rows(b)
	t.fit()
	if !g.fit(t.style.Columns()-t.name-gap, needed(cols, t.measure(cols))) {
		t.rows = down
		t.fit()
		return
	}
	t.grid, t.lengths, t.drawing = g, b.Lengths, g.drawn()
}

// mostBar returns the largest width of bars. On a wide terminal the failures get more room instead.
func (t *runTable) mostBar() int { return max(24, t.style.Columns()/5) }

// choose sets keep for the columns of a rank if all of them fit, and returns the room that is left.
// Those of rank 0 are kept in any case.
func choose(cols []column, widths []int, keep []bool, rank, room int) int {
	need := 0
	for i, c := range cols {
		if c.rank == rank && widths[i] >= 0 {
			need += gap + widths[i]
		}
	}
	if need > room && rank > 0 {
		return room
	}
	for i, c := range cols {
		keep[i] = keep[i] || c.rank == rank && widths[i] >= 0
	}
	return room - need
}

// spread divides the room that is left between the bars and the failures.
func (t *runTable) spread(room int) {
	if room <= 0 {
		return
	}
	more := 0
	if t.grid == nil {
		more = max(min(room, t.mostBar()-t.drawing), 0)
	}
	if t.tail > 0 {
		more /= 2
		t.tail += min(room-more, 30)
	}
	t.drawing += more
}

// draw prints the table for a terminal.
func (t *runTable) draw(style terminal.Style) string {
	t.style = style
	var head strings.Builder
	if t.grid == nil {
		head.WriteString(terminal.PadRight("shares in %", t.name+gap+t.drawing))
	} else {
		head.WriteString(terminal.PadRight(terminal.Truncate("exact in %", t.name+gap), t.name+gap) + t.grid.head())
	}
	for i, c := range t.cols {
		head.WriteString(strings.Repeat(" ", gap) + terminal.PadLeft(c.head, t.widths[i]))
	}
	if t.tail > 0 {
		head.WriteString(strings.Repeat(" ", gap) + "commonest failures")
	}
	lines := []string{t.style.Paint(terminal.Faint, head.String())}
	for _, r := range t.rows {
		lines = append(lines, t.row(r))
		if r.marks != "" {
			for _, line := range terminal.Wrap(r.marks, t.style.Columns()-4) {
				lines = append(lines, t.style.Paint(terminal.Faint, "    "+line))
			}
			continue
		}
		if t.grid == nil && t.tail == 0 && r.head && !r.all && len(r.line.Failures) > 0 {
			indent := "    "
			lines = append(lines, t.style.Paint(terminal.Faint, indent+failures(r.line, t.style.Columns()-len(indent))))
		}
	}
	if t.grid != nil && len(t.lengths) > 0 {
		lines = append(lines, t.grid.chart(t.lengths, t.name, t.style)...)
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// drawingOf returns the drawing of a row: the cells of the grid, or a curve or a bar.
func (t *runTable) drawingOf(r row) string {
	if t.grid != nil {
		return t.grid.row(r.cells, t.style)
	}
	shape := r.curve
	if shape == "" || terminal.Width(shape) > t.drawing {
		shape = bar(r.line.Exact, t.drawing)
	}
	return t.style.Paint(terminal.Drawing, terminal.PadRight(shape, t.drawing))
}

// row prints a row of the table.
func (t *runTable) row(r row) string {
	var b strings.Builder
	name := terminal.PadRight(terminal.Truncate(terminal.Visible(r.name), t.name), t.name)
	bold := r.head && (t.grid == nil || r.all) // with a grid, nearly all rows are heads
	if bold {
		name = t.style.Paint(terminal.Bold, name)
	}
	b.WriteString(name + strings.Repeat(" ", gap) + t.drawingOf(r))
	for i, c := range t.cols {
		cell := strings.Repeat(" ", gap) + terminal.PadLeft(c.cell(r.line), t.widths[i])
		if bold && i <= 1 {
			cell = t.style.Paint(terminal.Bold, cell)
		}
		b.WriteString(cell)
	}
	if t.tail > 0 {
		b.WriteString(strings.Repeat(" ", gap) + t.style.Paint(terminal.Faint, failures(r.line, t.tail)))
	}
	return b.String()
}

// fit sets the widths of the names and the bars by the rows.
func (t *runTable) fit() {
	t.name, t.drawing = 0, leastBar
	for _, r := range t.rows {
		t.name = max(t.name, terminal.Width(terminal.Visible(r.name)))
		t.drawing = max(t.drawing, terminal.Width(r.curve))
	}
	t.name = min(t.name, t.style.Columns()/3)
	t.drawing = min(t.drawing, t.mostBar())
}

// measure returns the widths of columns; -1 for a column that may be left out and has only empty
// cells.
func (t *runTable) measure(cols []column) []int {
	widths := make([]int, len(cols))
	for i, c := range cols {
		filled := false
		for _, r := range t.rows {
			cell := c.cell(r.line)
			filled = filled || !table.IsEmpty(cell)
			widths[i] = max(widths[i], terminal.Width(cell))
		}
		if widths[i] = max(widths[i], terminal.Width(c.head)); !filled && c.rank > 0 {
			widths[i] = -1
		}
	}
	return widths
}

// yield returns the room for figures. If the columns that are never left out need more, the bars and
// then the names get narrower.
func (t *runTable) yield(cols []column, widths []int) int {
	room, need := t.style.Columns()-t.name-gap-t.drawing, needed(cols, widths)
	if need <= room {
		return room
	}
	over := need - room
	bars := min(over, t.drawing)
	t.drawing -= bars
	t.name = max(t.name-(over-bars), min(t.name, leastName))
	return need
}
