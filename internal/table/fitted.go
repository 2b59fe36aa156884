package table

import (
	"slices"

	"verbatim/internal/terminal"
)

// gap is the number of spaces between columns.
const gap = 2

// A cut shortens a text to a width.
type cut func(text string, width int) string

// A fitted table knows which columns a terminal shows, and how wide.
type fitted struct {
	*Table
	columns []int // indexes, in order
	widths  []int // of all columns
	heads   []string
	cuts    []cut // of all columns
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

// withoutSpare leaves out spare columns, the last one first, as long as the others do not fit at
// their least widths.
func (f *fitted) withoutSpare(list []int, columns int) []int {
	for f.least(list) > columns {
		at := -1
		for n, i := range list {
			if f.Columns[i].Spare {
				at = n
			}
		}
		if at < 0 {
			break
		}
		list = slices.Delete(list, at, at+1)
	}
	return list
}

// least returns what columns take where they are as narrow as they may be.
func (f *fitted) least(list []int) int {
	sum := f.width(list)
	for _, i := range list {
		if least := f.Columns[i].Min; least > 0 {
			sum -= max(0, f.widths[i]-least)
		}
	}
	return sum
}

// width returns what columns take with the gaps between them.
func (f *fitted) width(columns []int) int {
	sum := -gap
	for _, i := range columns {
		sum += f.widths[i] + gap
	}
	return sum
}

// narrow takes so much from the widest of the columns that may be narrowed, as far as they may.
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
