package terminal

import (
	"slices"
	"strings"
)

// A Style says how text for a terminal may look. The zero Style is plain text of 80 columns, for
// pipes and files.
type Style struct {
	Width int  // columns; 0 is 80
	Color bool // use colours and weights; the caller decides by terminal and NO_COLOR
	// Seal is written before every SGR sequence, for a Filter that removes it. Empty: no seal.
	Seal Seal
}

// Columns returns the number of columns of a line, at least 40.
func (s Style) Columns() int {
	if s.Width <= 0 {
		return 80
	}
	return max(s.Width, 40)
}

// A Paint is a colour or a weight of text. Colours are among the sixteen of a terminal's theme, and
// no meaning is carried by colour alone.
type Paint int

// The paints.
const (
	Plain Paint = iota // as it is
	Bold
	Faint
	Drawing
	Alert
	Good
	Bad
)

// Paint returns text with the SGR sequences of a paint; unchanged without colours.
func (s Style) Paint(p Paint, text string) string {
	if !s.Color || text == "" || p == Plain {
		return text
	}
	codes := [...]string{Bold: "1", Faint: "2", Drawing: "36", Alert: "33", Good: "32", Bad: "31"}
	seal := string(s.Seal)
	return seal + "\x1b[" + codes[p] + "m" + text + seal + "\x1b[m"
}

// A Program writes commands of this program.
type ShellProgram struct {
	Database string // the value of --db in every command; "": no such flag
}

// Command returns the command name with operands and flags. It is safe to print. If an operand begins
// with "-", the operands come after "--".
func (p ShellProgram) Command(name string, operands []string, flags ...string) string {
	words := []string{"verbatim"}
	if p.Database != "" {
		words = append(words, "--db", p.Database)
	}
	words = append(words, name)
	if slices.ContainsFunc(operands, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		words = append(append(append(words, flags...), "--"), operands...)
	} else {
		words = append(append(words, operands...), flags...)
	}
	return ShellWords(words...)
}

// Show returns the command that shows an item of a run.
func (p ShellProgram) Show(run, item string, flags ...string) string {
	return p.Command("show", []string{run, item}, flags...)
}
