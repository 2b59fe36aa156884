package table

import (
	"cmp"
	"slices"

	"verbatim/internal/terminal"
)

// gap is the number of spaces between columns.
const gap = 2

// A fitted table knows which columns a terminal shows, and how wide.
type fitted struct {
	*Table
	columns []int // indexes, in order
	widths  []int // of all columns
	heads   []string
	cuts    []cut // of all columns
}

// fit chooses the columns for a width. Columns of rank 0 always stay; they are
// narrowed where they may be. The others stay by rank, as long as all of one rank fit.
func (t *Table) fit(columns int) *fitted {
	f := &fitted{Table: t, widths: make([]int, len(t.Columns)), heads: make([]string, len(t.Columns))}
	filled := t.filled()
	f.measure(filled, func(c Column) string { return c.Head })
	if f.width(filled) > columns {
		f.measure(filled, func(c Column) string { return cmp.Or(c.Short, c.Head) })
	}
	room := columns + gap
	last := 0
	for _, c := range t.Columns {
		last = max(last, c.Rank)
	}
	for rank := 0; rank <= last; rank++ {
		list := slices.DeleteFunc(slices.Clone(filled), func(i int) bool { return t.Columns[i].Rank != rank })
		if rank == 0 {
			list = f.withoutSpare(list, columns)
			wraps := slices.DeleteFunc(slices.Clone(list), func(i int) bool { return !t.Columns[i].Wrap })
			f.narrow(wraps[max(0, len(wraps)-1):], f.width(list)-columns) // the last one holds the longest texts
			f.narrow(wraps, f.width(list)-columns)
			f.narrow(list, f.width(list)-columns)
		}
		if need := f.width(list) + gap; len(list) > 0 && (need <= room || rank == 0) {
			f.columns, room = append(f.columns, list...), room-need
		}
		for i, c := range t.Columns {
			if d := c.Drawing; d != nil && c.Rank == rank && room >= d.Min+gap {
				f.widths[i] = min(d.Max, room-gap)
				if d.Half {
					f.widths[i] = min(d.Max, max(d.Min, room/2))
				}
				f.heads[i] = d.Head(f.widths[i])
				f.columns, room = append(f.columns, i), room-f.widths[i]-gap
			}
		}
	}
	slices.Sort(f.columns)
	f.chooseCuts()
	return f
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

// Width returns how many columns of a terminal the whole table takes without drawings.
func (t *Table) Width() int {
	f := t.fit(1 << 20)
	return f.width(slices.DeleteFunc(f.columns, func(i int) bool { return t.Columns[i].Drawing != nil }))
}
