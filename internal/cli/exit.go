package cli

import (
	"context"
	"errors"
	"io"

	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/redact"
)

// The exit codes. A script may rely on them.
const (
	exitDone    = 0
	Failed      = 1 // input or output, network, a lock, a full disk, unanswered items left, bad lines
	Usage       = 2 // flags, names, schemas, a database of another version
	Worse       = 3 // a test found what it looks for; check: worse by more than the margin
	Undecided   = 4 // a test is undecided, or its verdict is withheld
	interrupted = 130
)

// A Status is an error without a message that ends the program with this code.
type exitStatus int

func (exitStatus) Error() string { return "" }

// exitError returns the error that ends the program with this code; nil for Done.
func exitError(code int) error {
	if code == exitDone {
		return nil
	}
	return exitStatus(code)
}

// codeOf returns the exit code of an error of this kind, and the name of the kind in JSON. The
// name is "" for a Status, which has no message to print.
func codeOf(err error, kind errkind.Kind) (code int, name string) {
	if status, ok := errors.AsType[exitStatus](err); ok {
		return int(status), ""
	}
	switch kind {
	case errkind.Usage:
		return Usage, "usage"
	case errkind.Interrupted:
		return interrupted, "interrupted"
	}
	return Failed, "failed"
}

// printError prints err as text or as one JSON document, and returns the exit code.
func printError(w io.Writer, width int, err error, asJSON bool, redact redact.Redactor) int {
	kind, hint := app.Describe(err)
	if _, own := errors.AsType[*errkind.Error](err); !own && errors.Is(err, context.Canceled) {
		// An interrupt while the program looks at its endpoints: nothing is sent yet.
		err, hint = errkind.ErrInterrupted, "the same command starts again"
	}
	code, name := codeOf(err, kind)
	Failure{Kind: name, Err: err, Hint: hint}.Print(w, width, asJSON, redact)
	return code
}
