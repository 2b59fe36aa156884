package cli

import (
	"context"
	"errors"
	"io"

	"verbatim/internal/app"
	"verbatim/internal/cli/failure"
	"verbatim/internal/errkind"
	"verbatim/internal/redact"
)

// The exit codes. A script may rely on them.
const (
	exitDone        = 0
	exitFailed      = 1 // input or output, network, a lock, a full disk, unanswered items left, bad lines
	exitUsage       = 2 // flags, names, schemas, a database of another version
	exitWorse       = 3 // check: worse by more than the margin
	exitUndecided   = 4 // check: undecided, or the verdict is withheld
	exitInterrupted = 130
)

// An exitStatus is an error without a message that ends the program with this code.
type exitStatus int

func (exitStatus) Error() string { return "" }

// exitCode returns the exit code of an error, and the name of its kind in JSON.
func exitCode(err error, kind errkind.Kind) (code int, name string) {
	var status exitStatus
	switch {
	case errors.As(err, &status):
		return int(status), ""
	case kind == errkind.Usage:
		return exitUsage, "usage"
	case kind == errkind.Interrupted:
		return exitInterrupted, "interrupted"
	}
	return exitFailed, "failed"
}

// printError prints err as text or as one JSON document, and returns the exit code.
func printError(w io.Writer, width int, err error, asJSON bool, redact redact.Redactor) int {
	kind, hint := app.Describe(err)
	if own := new(errkind.Error); errors.Is(err, context.Canceled) && !errors.As(err, &own) {
		// It happens while the program looks at its endpoints: no result has an error
		// of its own yet.
		err, hint = errkind.ErrInterrupted, "the same command starts again"
	}
	code, name := exitCode(err, kind)
	failure.Failure{Kind: name, Err: err, Hint: hint}.Print(w, width, asJSON, redact)
	return code
}
