package shell

import (
	"slices"
	"strings"
)

// A Program makes commands of this program that can be typed.
type Program struct {
	Database string // that commands must name with --db; empty: none
}

// Command returns a command. It is safe to print. An operand that would be read as a
// flag comes after --.
func (p Program) Command(name string, operands []string, flags ...string) string {
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
	return Words(words...)
}

// Show returns the command that shows an item of a run.
func (p Program) Show(run, item string, flags ...string) string {
	return p.Command("show", []string{run, item}, flags...)
}
