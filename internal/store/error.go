package store

import (
	"fmt"
	"strings"

	"verbatim/internal/shell"
)

// A NoCommonGrader error says that no version of a grader has graded all replies for which the
// grader is responsible in some runs.
type NoCommonGrader struct {
	Grader string   // its name without a version
	Runs   []string // names of the runs
	Apart  bool     // they are in different files
}

// Error names the grader and the runs.
func (e *NoCommonGrader) Error() string {
	return fmt.Sprintf("no version of grader %q has graded all replies of %s", e.Grader, strings.Join(e.Runs, ", "))
}

// Hint names the command that grades them.
func (e *NoCommonGrader) Hint() string {
	hint := "verbatim regrade " + shell.Words(e.Runs...)
	if e.Apart {
		hint += "; a run of an exported file is imported first"
	}
	return hint
}
