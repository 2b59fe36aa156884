package page

import (
	"slices"
	"strconv"

	"verbatim/internal/verdict"
)

// A table is the data of the template "table". A table that is wider than the page has its
// own scroll bar.
type table struct {
	ID      string // of its caption, such as "t-models"
	Caption string
	First   string // the head of the first column
	Groups  []columnGroup
	Columns []column
	Rows    []row
	Notes   []string
}

// A columnGroup heads columns that belong together.
type columnGroup struct {
	Head string
	Span int
}

// A column has a head, and a unit below it.
type column struct {
	Head, Unit string
	Run        *run // instead of Head
	Left       bool // text, left aligned
}

// A row is headed by a run or by a text.
type row struct {
	Run   *run
	Head  safeText
	Cells []cell
}

// A cell holds a number or a text, with an interval after it and a note below it.
type cell struct {
	Text  string
	Safe  safeText // instead of Text
	Range string
	Note  string
	Bar   *bar
	Word  verdict.Word
}

// A bar is the drawing of a share with its interval: positions from 0 to 100.
type bar struct{ Low, Width, At string }

// newBar returns the bar of shares from 0 to 1.
func newBar(low, at, high float64) *bar {
	place := func(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }
	return &bar{place(low), place(high - low), place(at)}
}

// texts makes each text a cell.
func texts(list ...string) []cell {
	cells := make([]cell, len(list))
	for i, s := range list {
		cells[i].Text = s
	}
	return cells
}

// orNil returns the table, or nil if it has no rows or no columns.
func (t *table) orNil() *table {
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		return nil
	}
	return t
}

// withoutEmpty removes the columns whose cells are all empty or unknown, and returns the table.
func (t *table) withoutEmpty() *table {
	var keep []int
	for i := range t.Columns {
		for _, r := range t.Rows {
			if c := r.Cells[i]; c.Text != "" && c.Text != missing || c.Safe != "" || c.Word != "" {
				keep = append(keep, i)
				break
			}
		}
	}
	at := len(t.Columns) // the groups count the first column too
	for g := len(t.Groups) - 1; g >= 0; g-- {
		end := at
		at -= t.Groups[g].Span
		left := 0
		for _, i := range keep {
			if at <= i && i < end {
				left++
			}
		}
		if at < 0 {
			left++
		}
		if t.Groups[g].Span = left; left == 0 {
			t.Groups = slices.Delete(t.Groups, g, g+1)
		}
	}
	t.Columns = selected(t.Columns, keep)
	for n := range t.Rows {
		t.Rows[n].Cells = selected(t.Rows[n].Cells, keep)
	}
	return t
}

// selected returns the elements of the list at some indexes.
func selected[T any](list []T, indexes []int) []T {
	out := make([]T, len(indexes))
	for i, index := range indexes {
		out[i] = list[index]
	}
	return out
}
