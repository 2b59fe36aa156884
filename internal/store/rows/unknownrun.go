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
	s := fmt.Sprintf("no run is called %q", e.Name)
	if e.Ambiguous {
		s = fmt.Sprintf("%q is the beginning of more than one run", e.Name)
	}
	if len(e.Candidates) > 0 {
		s += "; there are " + strings.Join(e.Candidates, ", ")
	}
	return s
}
