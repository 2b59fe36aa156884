// Package study defines the type of a published study: its suite, and the tables and figures
// that it makes of runs of the suite. Each study is a package below this one.
//
// Start reading at Study.
package study

import (
	"cmp"
	"slices"
	"strconv"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/listsort"
	"verbatim/internal/paper"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A Study is one publication.
type Study struct {
	// Name is that of the suite, of 'report --preset' and of 'import'.
	Name string
	// Ranks reports that the study ranks models. Runs of nano, which is trained on tasks
	// of these kinds, are then left out where there are others.
	Ranks bool
	// Choose returns the runs to show where none is named, and notes on models that are
	// left out. Its argument is every run of the suite that has an answer: first those of
	// scores without replies, then the others, each by number.
	Choose func(runs []verbatim.Run) (chosen []verbatim.Run, notes []string)
	// Document makes the tables and figures of runs, of which each record has its reply
	// and its measures. Command is the one that makes the document again. Runs that
	// cannot be shown together are a *verdict.Refusal.
	Document func(sides []verdict.Side, command string) (*paper.Document, error)
	// Files writes further files of the runs into a folder and returns what they are, as
	// "2 result files of simpE"; nil: there are none.
	Files func(dir exchange.Folder, runs []exchange.Run) (written string, err error)
}

// Newest returns the last run of every model among those that are the same, in the order
// of their numbers.
func Newest(runs []verbatim.Run, same func(a, b *verbatim.Run) bool) []verbatim.Run {
	var list []verbatim.Run
	for _, r := range slices.Backward(runs) {
		if !slices.ContainsFunc(list, func(x verbatim.Run) bool { return x.Model == r.Model && same(&x, &r) }) {
			list = append(list, r)
		}
	}
	listsort.Stable(list, func(a, b verbatim.Run) int { return cmp.Compare(a.N, b.N) })
	return list
}

// Names names the runs for tables: by their models, or by the runs where several are of
// one model.
func Names(sides []verdict.Side) []string {
	var models, runs []string
	for i := range sides {
		models, runs = append(models, terminal.Visible(sides[i].Run.Model)), append(runs, terminal.Visible(sides[i].Run.Name))
	}
	return paper.Names(models, runs)
}

// A Foreign error says that what was named is not of a study's suite.
type Foreign struct{ Suite, What string }

func (e *Foreign) Error() string { return e.What }

// Hint says what to do instead.
func (e *Foreign) Hint() string {
	return "name runs of 'verbatim run --suite " + e.Suite + "' or of 'verbatim import " + e.Suite + "'"
}

// Misuse reports that the caller chose what cannot be shown.
func (e *Foreign) Misuse() bool { return true }

// Plural prints a count with its noun, as "one list" or "3 lists".
func Plural(n int, noun string) string {
	switch n {
	case 1:
		return "one " + noun
	case 0:
		return "no " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
