package layout

import "verbatim/internal/shell"

// Options say what a document holds.
type Options struct {
	EveryLength bool // a row for every length, even where each was sent once
	ByRun       bool // tables of its own for every run
	Raw         bool // CSV cells unchanged, even if a spreadsheet may read them as formulas
	// Program makes the commands that are printed.
	Program shell.Program
	// FailUnder is the exact share below which a length of a task fails in JUnit; nil: none.
	FailUnder *float64
}

// narrow is the width of a terminal below which numbers are printed with fewer digits.
const narrow = 100

// isNarrow reports whether there are so few columns of a terminal; 0 is any width.
func isNarrow(columns int) bool { return columns > 0 && columns < narrow }
