package terminal

import (
	"slices"
	"strings"

	"verbatim/internal/shell"
)

// A Style says how a terminal format may look. The zero Style is plain text of
// 80 columns, as a pipe or a file gets it.
type Style struct {
	// EveryLength gives every length a row of its own, also where each was asked
	// once.
	EveryLength bool
	// ByRun gives every run tables of its own, also where several fit next to each
	// other.
	ByRun bool
	Width int  // columns; 0 is 80
	Color bool // colours and weights, as SGR sequences; whoever prints decides by terminal and NO_COLOR
	// Seal stands before every SGR sequence, for a Filter that takes it away; empty: the
	// sequences are bare.
	Seal Seal
	// Database is the file that commands must name with --db to find what is printed;
	// empty: none.
	Database string
	// FailUnder is the exact share below which a line fails in the formats that can
	// fail, such as JUnit's; nil: none does.
	FailUnder *float64
	// Raw leaves cells of CSV as they are that a spreadsheet may take for formulas.
	Raw bool
}

// ShowCommand returns the command that shows an item of a run.
func (s Style) ShowCommand(run, item string, flags ...string) string {
	return s.Command("show", []string{run, item}, flags...)
}

// Command returns a command of the program that can be typed: it names the database
// where that is needed, and is safe to print. An operand that would be read as a flag
// stands behind --.
func (s Style) Command(name string, operands []string, flags ...string) string {
	words := []string{"verbatim"}
	if s.Database != "" {
		words = append(words, "--db", s.Database)
	}
	words = append(words, name)
	if slices.ContainsFunc(operands, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		words = append(append(append(words, flags...), "--"), operands...)
	} else {
		words = append(append(words, operands...), flags...)
	}
	return shell.Words(words...)
}

func (s Style) Columns() int {
	if s.Width <= 0 {
		return 80
	}
	return max(s.Width, 40)
}

// A Paint is a way to set off text. Only the sixteen colours that a terminal's
// own theme defines are used, and no meaning is carried by colour alone.
type Paint int

const (
	Bold Paint = iota
	Faint
	Drawing
	Alert
	Good
	Bad
)

// Bold sets off a heading where colours are wanted.
func (s Style) Bold(text string) string { return s.Paint(Bold, text) }

func (s Style) Paint(p Paint, text string) string {
	if !s.Color || text == "" {
		return text
	}
	codes := [...]string{Bold: "1", Faint: "2", Drawing: "36", Alert: "33", Good: "32", Bad: "31"}
	seal := string(s.Seal)
	return seal + "\x1b[" + codes[p] + "m" + text + seal + "\x1b[m"
}
