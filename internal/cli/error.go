package cli

import (
	"context"
	"errors"
	"io"

	"verbatim/internal/app"

	"verbatim/internal/errkind"
	"verbatim/internal/redact"
)

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
