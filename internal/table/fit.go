package table

import (
	"cmp"
	"slices"
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
