// Package study defines the type of a published study: its suite, and the tables and figures
// that it makes of runs of the suite. Each study is a package of its own in the folder of this
// one.
//
// Start reading at Study.
package study

import (
	"cmp"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/paper"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A Study is one publication.
type Study struct {
	// Name is the name of the suite, and of the study in 'report --preset' and 'import'.
	Name string
	// Ranks reports that the study ranks models. Runs of nano, which is trained on tasks
	// of these kinds, are then left out where there are others.
	Ranks bool
	// Choose returns the runs to show if the user names none, and notes on those that are left
	// out. Its argument is every run of the suite that has an answer: first those with scores
	// but no replies, then the others, both by number.
	Choose func(runs []verbatim.Run) (chosen []verbatim.Run, notes []string)
	// Document makes the tables and figures of runs whose records have replies and measures.
	// command is the one that makes the document again. The error is a *verdict.Refusal if the
	// runs cannot be shown together.
	Document func(sides []verdict.Side, command string) (*paper.Document, error)
	// Files writes further files of the runs into a folder and returns what they are, such as
	// "2 result files of simpE". It is nil if the study has no such files.
	Files func(dir exchange.Folder, runs []exchange.Run) (written string, err error)
}

// Newest returns the runs without those that a later run of the same model replaces, in the order
// of their numbers. same says whether one run can replace another.
func Newest(runs []verbatim.Run, same func(a, b *verbatim.Run) bool) []verbatim.Run {
	var list []verbatim.Run
	for _, r := range slices.Backward(runs) {
		if !slices.ContainsFunc(list, func(x verbatim.Run) bool { return x.Model == r.Model && same(&x, &r) }) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b verbatim.Run) int { return cmp.Compare(a.N, b.N) })
	return list
}

// Names returns a name for each run, for tables; see paper.Names.
func Names(sides []verdict.Side) []string {
	var models, runs []string
	for i := range sides {
		models, runs = append(models, terminal.Visible(sides[i].Run.Model)), append(runs, terminal.Visible(sides[i].Run.Name))
	}
	return paper.Names(models, runs)
}

// A Foreign error says that a run or an item is not of a study's suite.
type Foreign struct {
	Suite string // of the study
	What  string // the message
}

func (e *Foreign) Error() string { return e.What }

// Hint says which runs to name instead.
func (e *Foreign) Hint() string {
	return "name runs of 'verbatim run --suite " + e.Suite + "' or of 'verbatim import " + e.Suite + "'"
}

// Misuse says that the error is a usage error.
func (e *Foreign) Misuse() bool { return true }

// Plural prints a count with its noun: "no list", "one list", "3 lists".
func Plural(n int, noun string) string {
	switch n {
	case 1:
		return "one " + noun
	case 0:
		return "no " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
