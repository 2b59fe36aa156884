package rows

import (
	"fmt"
	"strings"
)

// An UnknownRun error says that a name on the command line names no run, or
// more than one.
type UnknownRun struct {
	Name       string
	Ambiguous  bool     // Candidates are the runs that Name fits
	Candidates []string // names of runs that may have been meant, newest first, at most ten
}

// Error names what was asked for and what there is.
func (e *UnknownRun) Error() string {
	if e.Ambiguous {
		return fmt.Sprintf("%q is the beginning of more than one run: %s", e.Name, strings.Join(e.Candidates, ", "))
	}
	s := fmt.Sprintf("no run is called %q", e.Name)
	switch newest := e.Candidates[:min(3, len(e.Candidates))]; len(newest) {
	case 0:
	case 1:
		s += "; the newest is " + newest[0]
	default:
		s += "; the newest are " + strings.Join(newest, ", ")
	}
	return s
}
