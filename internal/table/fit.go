package table

import (
	"cmp"
	"slices"

	"verbatim/internal/terminal"
)

// fit chooses the columns for a width. Columns of rank 0 always stay, and are narrowed if that is
// allowed. The others stay by rank, as long as all columns of a rank fit.
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

// Width returns the number of columns of a terminal that the whole table takes without drawings.
func (t *Table) Width() int {
	f := t.fit(1 << 20)
	return f.width(slices.DeleteFunc(f.columns, func(i int) bool { return t.Columns[i].Drawing != nil }))
}

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

// chooseCuts chooses for each column how its cells are shortened: at the end, or if cells that
// differ would then look the same, in the middle or at the start.
func (f *fitted) chooseCuts() {
	f.cuts = make([]cut, len(f.Columns))
	for i := range f.cuts {
		f.cuts[i] = terminal.Truncate
	}
	for _, i := range f.columns {
		if c := f.Columns[i]; c.Wrap || c.Drawing != nil || !f.truncates(i) {
			continue
		}
		choices := []cut{terminal.Truncate, terminal.TruncateMiddle, terminal.TruncateStart}
		if at := slices.IndexFunc(choices, func(c cut) bool { return f.distinct(i, c) }); at > 0 {
			f.cuts[i] = choices[at]
		}
	}
}

// truncates reports whether a cell of a column does not fit its width.
func (f *fitted) truncates(i int) bool {
	return slices.ContainsFunc(f.Rows, func(r Row) bool { return !terminal.Fits(terminal.SafeLine(r.Cell(i)), f.widths[i]) })
}

// distinct reports whether cells of a column that differ also differ when they are shortened.
func (f *fitted) distinct(i int, c cut) bool {
	whole := make(map[string]string, len(f.Rows)) // by the shortened text
	for r := range f.Rows {
		text := terminal.SafeLine(f.Rows[r].Cell(i))
		short := c(text, f.widths[i])
		if before, ok := whole[short]; ok && before != text {
			return false
		}
		whole[short] = text
	}
	return true
}
