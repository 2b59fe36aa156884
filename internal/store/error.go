package store

import (
	"fmt"
	"strings"

	"verbatim/internal/shell"
)

// A NoCommonGrader error says that no version of a grader has judged all
// replies of the runs that it is responsible for.
type NoCommonGrader struct {
	Grader string   // its name without a version
	Runs   []string // names of the runs
	Apart  bool     // they are in different files
}

// Error names the grader and the runs.
func (e *NoCommonGrader) Error() string {
	return fmt.Sprintf("no version of grader %q has graded all replies of %s", e.Grader, strings.Join(e.Runs, ", "))
}

// Hint says what to do about it.
func (e *NoCommonGrader) Hint() string {
	hint := "verbatim regrade " + shell.Words(e.Runs...)
	if e.Apart {
		hint += "; a run of an exported file is imported first"
	}
	return hint
}
