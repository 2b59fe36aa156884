package store

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/shell"
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

// A TestClosed error says that a run is a test that has its verdict already: nothing
// is added to it.
type TestClosed struct {
	Run  string // its name
	Test verbatim.Test
}

// Error names the run and its verdict.
func (e *TestClosed) Error() string {
	return fmt.Sprintf("run %s is closed: its %s has ended with %q", e.Run, e.Test.Kind, e.Test.Verdict)
}

// Hint says what to do about it.
func (e *TestClosed) Hint() string { return "give the same command again: it starts a new run" }

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
