package layout

import (
	"strconv"

	"verbatim"
	"verbatim/internal/table"
)

// dataTable makes a table for programs. Its cells hold unrounded numbers; an unknown number is an
// empty cell. Texts must have passed through terminal.Visible.
func dataTable(heads ...string) *table.Table {
	t := new(table.Table)
	for _, h := range heads {
		t.Columns = append(t.Columns, table.Column{Head: h})
	}
	return t
}

// digits prints a whole number for programs: without commas.
func digits[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// optional is Digits for a number that may be unknown.
func optional(n *int64) string {
	if n == nil {
		return ""
	}
	return digits(*n)
}

// Float prints a number for programs, with as many digits as it needs to be read back; empty if it
// is unknown.
func Float(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

// dollars prints an amount in dollars for programs; empty if it is unknown.
func dollars(m *verbatim.Money) string {
	if m == nil {
		return ""
	}
	return m.Decimal()
}
