package table

import (
	"slices"

	"verbatim/internal/terminal"
)

// gap is the number of spaces between columns.
const gap = 2

// A cut shortens a text to a width.
type cut func(text string, width int) string

// A fitted table has the columns that a terminal shows, with their widths.
type fitted struct {
	*Table
	columns []int    // indexes of those shown, in order
	widths  []int    // of all columns
	heads   []string // of all columns
	cuts    []cut    // of all columns
}

// measure sets the heads and the natural widths of columns.
func (f *fitted) measure(columns []int, head func(Column) string) {
	for _, i := range columns {
		f.heads[i] = terminal.SafeLine(head(f.Columns[i]))
		f.widths[i] = terminal.Width(f.heads[i])
		for r := range f.Rows {
			f.widths[i] = max(f.widths[i], terminal.Width(terminal.SafeLine(f.Rows[r].Cell(i))))
		}
	}
}

// withoutSpare removes spare columns, the last one first, until the others fit at their minimum
// widths.
func (f *fitted) withoutSpare(list []int, columns int) []int {
	for n := len(list) - 1; n >= 0 && f.least(list) > columns; n-- {
		if f.Columns[list[n]].Spare {
			list = slices.Delete(list, n, n+1)
		}
	}
	return list
}

// least returns the minimum number of columns of a terminal that columns of the table take.
func (f *fitted) least(list []int) int {
	sum := f.width(list)
	for _, i := range list {
		if least := f.Columns[i].Min; least > 0 {
			sum -= max(0, f.widths[i]-least)
		}
	}
	return sum
}

// width returns the number of columns of a terminal that columns of the table take, with the gaps
// between them.
func (f *fitted) width(columns []int) int {
	sum := -gap
	for _, i := range columns {
		sum += f.widths[i] + gap
	}
	return sum
}

// narrow makes columns narrower by over in all, always the widest that is above its minimum. It
// stops at the minimum widths.
func (f *fitted) narrow(columns []int, over int) {
	for ; over > 0; over-- {
		widest := -1
		for _, i := range columns {
			if least := f.Columns[i].Min; least > 0 && f.widths[i] > least && (widest < 0 || f.widths[i] > f.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		f.widths[widest]--
	}
}
