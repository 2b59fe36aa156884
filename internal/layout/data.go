package layout

import (
	"strconv"

	"verbatim"
	"verbatim/internal/table"
)

// DataTable makes a table for programs. Its cells hold unrounded numbers; empty ones are
// unknown. Texts in it have passed through terminal.Visible.
func DataTable(heads ...string) *table.Table {
	t := new(table.Table)
	for _, h := range heads {
		t.Columns = append(t.Columns, table.Column{Head: h})
	}
	return t
}

func Digits[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func optional(n *int64) string {
	if n == nil {
		return ""
	}
	return Digits(*n)
}

func Float(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

func dollars(m *verbatim.Money) string {
	if m == nil {
		return ""
	}
	return m.Decimal()
}
