package layout

import (
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// fit measures the names and the bars.
func (t *runTable) fit() {
	t.name, t.drawing = 0, leastBar
	for _, r := range t.rows {
		t.name = max(t.name, terminal.Width(terminal.Visible(r.name)))
		t.drawing = max(t.drawing, terminal.Width(r.curve))
	}
	t.name = min(t.name, t.style.Columns()/3)
	t.drawing = min(t.drawing, t.mostBar())
}

// measure returns how wide the columns are; -1 is one that may be left out and has
// nothing to say.
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

// needed is what the columns take that always stay.
func needed(cols []column, widths []int) int {
	need := 0
	for i, c := range cols {
		if c.rank == 0 {
			need += gap + widths[i]
		}
	}
	return need
}

// yield returns the room for figures. What those that always stay lack of it is taken
// from the bars, and then from the names.
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
