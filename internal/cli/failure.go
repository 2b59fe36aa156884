package cli

import (
	"bytes"
	"context"
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

// A Failure is an error that ends a command.
type Failure struct {
	Kind string // "usage", "failed" or "interrupted", for JSON
	Err  error
	Hint string // what to do
}

// Print prints the failure as text or as one JSON document. It prints nothing for an error
// without a message.
//
// The lines start in lower case and have no full stop, like those of compilers. Width is that of
// the terminal, 0 without one. Further lines of a message are indented, so that texts of servers
// and files in it cannot look like a message of their own.
func (f Failure) Print(w io.Writer, width int, asJSON bool, redact redact.Redactor) {
	hint, lines := redact.Message(f.Hint), messageLines(f.Err)
	for i := range lines {
		lines[i] = redact.Message(lines[i])
	}
	switch {
	case len(lines) == 0:
	case asJSON:
		f.printJSON(w, lines, hint)
	default:
		printText(w, width, lines, hint)
	}
}

func (f Failure) printJSON(w io.Writer, lines []string, hint string) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(struct { // strings cannot fail
		Format  string `json:"format"`
		Kind    string `json:"kind"`
		Message string `json:"message"`
		Hint    string `json:"hint,omitempty"`
	}{"verbatim/error/1", f.Kind, strings.Join(lines, "\n"), hint})
	w.Write(rawjson.Printable(b.Bytes()))
}

func printText(w io.Writer, width int, lines []string, hint string) {
	for i, line := range lines {
		prefix := "verbatim: error: "
		if i > 0 {
			prefix = "  "
		}
		fmt.Fprintln(w, wrapAfter(prefix, terminal.SafeLine(line), width))
	}
	if hint != "" {
		printHint(w, width, terminal.SafeLine(hint))
	}
}

// printHint prints a hint. On a terminal that is too narrow for it, a command at its end gets a
// line of its own and is not broken, so that it can be copied.
func printHint(w io.Writer, width int, hint string) {
	const prefix = "verbatim: hint: "
	text, command, found := strings.Cut(hint, ": verbatim ")
	if width == 0 || !found || terminal.Fits(prefix+hint, width) {
		command = ""
	} else {
		hint = text + ":"
	}
	fmt.Fprintln(w, wrapAfter(prefix, hint, width))
	if command != "" {
		fmt.Fprintln(w, "  verbatim "+command)
	}
}

// wrapAfter puts the prefix before a line and breaks it for a terminal of this width; 0: no terminal.
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
	if own, ok := errors.AsType[*errkind.Error](err); ok {
		lines = append(lines, own.Details...)
	}
	return lines
}

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
