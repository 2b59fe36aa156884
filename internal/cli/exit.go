package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/redact"
	"verbatim/internal/store"
	"verbatim/internal/terminal"
)

// The exit codes. A script may rely on them.
const (
	exitDone        = 0
	exitFailed      = 1 // input or output, network, a lock, a full disk, unanswered items left, bad lines
	exitMisused     = 2 // flags, names, schemas, a database of another version
	exitWorse       = 3 // check: worse by more than the margin
	exitUndecided   = 4 // check: undecided, or the verdict is withheld
	exitInterrupted = 130
)

// An exitError is an error that knows its exit code and what to do about it.
type exitError struct {
	code    int
	err     error
	details []string // each on a line of its own below err
	hint    string
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// misused returns an error of the caller's making: exit code 2.
func misused(hint, format string, args ...any) error {
	return &exitError{code: exitMisused, err: fmt.Errorf(format, args...), hint: hint}
}

// failed returns an error of the world's making: exit code 1.
func failed(hint, format string, args ...any) error {
	return &exitError{code: exitFailed, err: fmt.Errorf(format, args...), hint: hint}
}

// hinted is what errors of other packages offer: a sentence on what to do.
type hinted interface{ Hint() string }

// misuse is what errors of other packages say that stem from the caller:
// an unknown name, an impossible length, a database of another version.
type misuse interface{ Misuse() bool }

// describe finds the exit code, the kind and the hint of err.
func describe(err error) (code int, kind, hint string) {
	code = exitFailed
	var exit *exitError
	var f *verbatim.Failure
	var file *store.Error
	var unsaved *store.Unsaved
	var h hinted
	var m misuse
	switch {
	case errors.As(err, &exit):
		code, hint = exit.code, exit.hint
	case errors.As(err, &unsaved):
		hint = unsaved.Hint()
		if errors.Is(err, errInterrupted) {
			code = exitInterrupted
		}
	case errors.Is(err, context.Canceled), errors.Is(err, errInterrupted):
		code = exitInterrupted
	case errors.As(err, &f):
		hint = f.Hint
	case errors.As(err, &file):
		hint = file.Hint
		if file.Kind.Misuse() {
			code = exitMisused
		}
	}
	if exit == nil && errors.As(err, &m) && m.Misuse() {
		code = exitMisused
	}
	if hint == "" && errors.As(err, &h) {
		hint = h.Hint()
	}
	if hint == "" && errors.As(err, &file) { // inside of a failure
		hint = file.Hint
	}
	kind = map[int]string{exitFailed: "failed", exitMisused: "misused", exitInterrupted: "interrupted"}[code]
	return code, kind, hint
}

// complain prints err for a person, or as one JSON document, and returns the
// exit code. Nothing is printed for an error without a message.
//
// The lines start in lower case and carry no full stop, as compilers' do. What
// servers and files have written into a message forges no line of it.
func complain(w io.Writer, err error, asJSON bool, redact redact.Redactor) int {
	code, kind, hint := describe(err)
	hint = redact.Message(hint)
	lines := messageLines(err)
	for i := range lines {
		lines[i] = redact.Message(lines[i])
	}
	if len(lines) == 0 {
		return code
	}
	if asJSON {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.Encode(struct { // of strings, which always have a JSON form
			Format  string `json:"format"`
			Kind    string `json:"kind"`
			Message string `json:"message"`
			Hint    string `json:"hint,omitempty"`
		}{"verbatim/error/1", kind, strings.Join(lines, "\n"), hint})
		w.Write(rawjson.Printable(b.Bytes()))
		return code
	}
	for i, line := range lines {
		prefix := "verbatim: error: "
		if i > 0 {
			prefix = "  "
		}
		fmt.Fprintf(w, "%s%s\n", prefix, terminal.SafeLine(line))
	}
	if hint != "" {
		fmt.Fprintf(w, "verbatim: hint: %s\n", terminal.SafeLine(hint))
	}
	return code
}

// messageLines are the lines of an error's message: one for each error that was
// joined, and the details.
func messageLines(err error) []string {
	if e, ok := err.(*exitError); ok {
		return append(messageLines(e.err), e.details...)
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		parts := joined.Unwrap()
		if whole := errors.Join(parts...); whole != nil && whole.Error() == err.Error() {
			var lines []string
			for _, e := range parts {
				lines = append(lines, messageLines(e)...)
			}
			return lines
		}
	}
	var listed interface{ MessageLines() []string }
	if errors.As(err, &listed) {
		return listed.MessageLines()
	}
	var lines []string
	if message := strings.TrimSpace(err.Error()); message != "" {
		lines = []string{message}
	}
	var exit *exitError
	if errors.As(err, &exit) {
		lines = append(lines, exit.details...)
	}
	return lines
}
