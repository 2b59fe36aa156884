package table

import (
	"slices"

	"verbatim/internal/terminal"
)

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
