package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"verbatim/internal/app"
	"verbatim/internal/errkind"
	"verbatim/internal/rawjson"
	"verbatim/internal/redact"
	"verbatim/internal/terminal"
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

// printError prints err as text or as one JSON document, and returns the exit code. It
// prints nothing for an error without a message.
//
// The lines start in lower case and have no full stop, like those of compilers. Texts of
// servers and files in a message cannot forge a line of it: on a terminal of this width, if
// there is one, further lines are indented.
func printError(w io.Writer, width int, err error, asJSON bool, redact redact.Redactor) int {
	kind, hint := app.Describe(err)
	code, name := exitCode(err, kind)
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
		}{"verbatim/error/2", name, strings.Join(lines, "\n"), hint})
		w.Write(rawjson.Printable(b.Bytes()))
		return code
	}
	for i, line := range lines {
		prefix := "verbatim: error: "
		if i > 0 {
			prefix = "  "
		}
		fmt.Fprintln(w, wrapAfter(prefix, terminal.SafeLine(line), width))
	}
	if strings.Contains(hint, ": verbatim ") { // a command, to be copied in one piece
		width = 0
	}
	if hint != "" {
		fmt.Fprintln(w, wrapAfter("verbatim: hint: ", terminal.SafeLine(hint), width))
	}
	return code
}

// wrapAfter breaks a line that begins with the prefix for a terminal of this width; 0: without one.
func wrapAfter(prefix, line string, width int) string {
	if width == 0 {
		return prefix + line
	}
	return prefix + strings.Join(terminal.Wrap(line, width-len(prefix)), "\n"+strings.Repeat(" ", len(prefix)))
}

// messageLines returns the lines of an error's message: one for each joined error, and
// the details.
func messageLines(err error) []string {
	if e, ok := err.(*errkind.Error); ok {
		return append(messageLines(e.Err), e.Details...)
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
	var own *errkind.Error
	if errors.As(err, &own) {
		lines = append(lines, own.Details...)
	}
	return lines
}
