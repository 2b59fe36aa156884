package table

import (
	"slices"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// A Table has rows of as many cells as columns.
type Table struct {
	Name    string // of a label or a file, as "table-1"
	Caption string
	Columns []Column
	Rows    []Row
	Notes   []string // below it
	// Ruled draws lines below the head and above rows that want one, as papers do.
	Ruled bool
	// Drawn writes the table for a terminal in a way of its own; nil: in columns.
	Drawn func(s terminal.Style) string
}

// A Column is headed by its words.
type Column struct {
	Head  string
	LaTeX string // where Head is a formula; empty: Head
	Short string // for a terminal that is too narrow for Head; empty: Head
	Right bool   // aligned to the right, as numbers are
	// Rank says which columns are left out first on a narrow terminal: the highest. Those of
	// rank 0 stay. A column of another rank is left out everywhere if its cells are empty.
	Rank int
	// Spare is for a column of rank 0 that is left out where the others do not fit otherwise.
	Spare bool
	Min   int // width to which a terminal may narrow the column; 0: never
	// Wrap breaks the cells of a narrowed column at spaces, over several lines, instead of
	// truncating them.
	Wrap bool
	// Drawing draws the cells on a terminal; other formats leave the column out.
	Drawing *Drawing
}

// A Drawing draws cells as wide as there is room.
type Drawing struct {
	Min, Max int
	Half     bool // takes at most half of the room that is left
	Paint    bool // in the colour of drawings
	Head     func(width int) string
	Cell     func(row, width int) string
}

// A Row has a cell for each column, as printed.
type Row struct {
	Cells []string
	Rule  bool // a line stands above it
	Bold  bool
	Faint bool // on a terminal
	// Key names the row, and Values are the numbers behind its cells, unrounded.
	Key    string
	Values []Value
}

// A Value is a number with the name of its column for programs, as "ci_low".
type Value struct {
	Column string
	Number float64
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, Row{Cells: cells}) }

// Cell returns a cell; empty where the row is too short.
func (r *Row) Cell(i int) string {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return ""
}

// IsEmpty reports whether a cell holds nothing, or an unknown number.
func IsEmpty(cell string) bool { return cell == "" || cell == number.Missing }

// filled lists the columns that hold something, without the drawings.
func (t *Table) filled() []int {
	var list []int
	for i, c := range t.Columns {
		if c.Drawing == nil && (c.Rank == 0 || slices.ContainsFunc(t.Rows, func(r Row) bool { return !IsEmpty(r.Cell(i)) })) {
			list = append(list, i)
		}
	}
	return list
}

// ListOf makes a table of two or more columns. The last one holds texts, which are broken
// on a narrow terminal.
func ListOf(heads ...string) *Table {
	t := &Table{}
	for _, head := range heads {
		t.Columns = append(t.Columns, Column{Head: head})
	}
	for i := 1; i < len(heads)-1; i++ {
		t.Columns[i].Wrap, t.Columns[i].Min = true, 12
	}
	last := &t.Columns[len(heads)-1]
	last.Wrap, last.Min = true, 20
	return t
}
