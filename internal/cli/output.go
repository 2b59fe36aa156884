package cli

import (
	"fmt"
	"io"

	"verbatim/internal/errkind"
	"verbatim/internal/input"

	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// Output opens the file of this path for writing; "" and "-" are the standard output.
func (env *Env) Output(path string, what outputContent) (*File, error) {
	return destination{Stdout: env.RawOut, Seal: env.Seal, OnTerminal: env.OutWidth > 0, Unfinished: env.Unfinished}.Open(path, what)
}

// WriteResult writes a result to a file or the standard output, whole or not at all.
func (env *Env) writeResult(path string, what outputContent, write func(*File, terminal.Style) error) error {
	w, err := env.Output(path, what)
	if err != nil {
		return err
	}
	defer w.Discard()
	style := env.Style()
	if w.named() {
		style = terminal.Style{}
	}
	if err := write(w, style); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return w.keep()
}

// Print writes a document to the standard output in a format.
func (env *Env) Print(d *table.Document, format table.Format) error {
	return env.writeResult("", contentOf(format.Name), func(w *File, s terminal.Style) error { return format.Write(w, d, s) })
}

// PrintText writes a document to the standard output in the default format.
func (env *Env) printText(d *table.Document) error { return env.Print(d, table.Formats()[0]) }

// WriteTable prints a table to w, in the width of the standard output.
func (env *Env) writeTable(w io.Writer, t *table.Table) error { return t.Print(w, env.Style()) }

// Input opens the file that the first argument names; none and "-" are the standard input.
func (env *Env) Input(args []string) (io.ReadCloser, error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(env.In), nil
	}
	f, err := input.OpenFile(args[0])
	if err != nil {
		return nil, errkind.Runtimef("check the path; - reads the standard input", "%w", err)
	}
	return f, nil
}
