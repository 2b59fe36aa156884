package layout

import "verbatim/internal/terminal"

// Options say how a document is laid out.
type Options struct {
	EveryLength bool                  // a row for every length, even if each has one request
	ByRun       bool                  // a table for each run, and none side by side
	Raw         bool                  // CSV cells unchanged, even if a spreadsheet may read them as formulas
	Program     terminal.ShellProgram // makes the commands that are printed
	// FailUnder is the exact share below which a length of a task fails in JUnit; nil: none fails.
	FailUnder *float64
}

// isNarrow reports whether numbers are printed with fewer digits, since the terminal has so few
// columns; 0 columns are no terminal.
func isNarrow(columns int) bool { return columns > 0 && columns < 100 }
