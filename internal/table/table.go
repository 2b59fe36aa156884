package table

import (
	"slices"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// A Table has rows of as many cells as columns.
type Table struct {
	Name    string // for a label or a file, such as "table-1"
	Caption string
	Columns []Column
	Rows    []Row
	Notes   []string // below it
	// Ruled draws lines below the head and above rows with a Rule, as papers do.
	Ruled bool
	// Drawn draws the table for a terminal; nil: it is written in columns.
	Drawn func(s terminal.Style) string
}

// A Column says how the cells of a column are written.
type Column struct {
	Head  string
	LaTeX string // Head in LaTeX, if it is a formula; empty: Head
	Short string // Head for a narrow terminal; empty: Head
	Right bool   // aligned to the right, as numbers are
	// Rank says which columns are left out first on a narrow terminal: the highest. Those of
	// rank 0 stay. A column of another rank is left out everywhere if its cells are empty.
	Rank int
	// Spare says that a column of rank 0 may be left out if the others do not fit.
	Spare bool
	Min   int // width to which a terminal may narrow the column; 0: never
	// Wrap breaks the cells of a narrowed column at spaces, over several lines, instead of
	// truncating them.
	Wrap bool
	// Drawing draws the cells on a terminal; other formats leave the column out.
	Drawing *Drawing
}

// A Drawing draws the cells of a column in the room that is left.
type Drawing struct {
	Min, Max int
	Half     bool // use at most half of the room that is left
	Paint    bool // use the colour of drawings
	Head     func(width int) string
	Cell     func(row, width int) string
}

// A Row has a cell for each column, as printed.
type Row struct {
	Cells []string
	Rule  bool // draw a line above it
	Bold  bool
	Faint bool // on a terminal
	// Key names the row, and Values are the numbers behind its cells, unrounded.
	Key    string
	Values []Value
}

// A Value is a number with the name of its column for programs, such as "ci_low".
type Value struct {
	Column string
	Number float64
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, Row{Cells: cells}) }

// Cell returns the i-th cell; "" if the row is too short.
func (r *Row) Cell(i int) string {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return ""
}

// IsEmpty reports whether a cell holds nothing, or an unknown number.
func IsEmpty(cell string) bool { return cell == "" || cell == number.Missing }

// filled lists the columns that every format shows: without drawings, and without empty columns of a
// rank other than 0.
func (t *Table) filled() []int {
	var list []int
	for i, c := range t.Columns {
		if c.Drawing == nil && (c.Rank == 0 || slices.ContainsFunc(t.Rows, func(r Row) bool { return !IsEmpty(r.Cell(i)) })) {
			list = append(list, i)
		}
	}
	return list
}

// ListOf returns a table of two or more columns. All but the first are broken on a narrow terminal;
// the last one is for long texts.
func ListOf(heads ...string) *Table {
	t := &Table{Columns: []Column{{Head: heads[0]}}}
	for _, head := range heads[1:] {
		t.Columns = append(t.Columns, Column{Head: head, Wrap: true, Min: 12})
	}
	t.Columns[len(heads)-1].Min = 20
	return t
}
