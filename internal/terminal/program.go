package terminal

import (
	"slices"
	"strings"
)

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
