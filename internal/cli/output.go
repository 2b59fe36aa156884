package cli

import (
	"fmt"
	"io"

	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/output"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
)

// output opens the file of this path for writing; "" and "-" are the standard output.
func (env *Env) output(path string, what output.Content) (*output.File, error) {
	return output.Destination{Stdout: env.rawOut, Seal: env.seal, OnTerminal: env.OutWidth > 0, Unfinished: env.unfinished}.Open(path, what)
}

// writeResult writes a result to a file or the standard output, whole or not at all.
func (env *Env) writeResult(path string, what output.Content, write func(*output.File, terminal.Style) error) error {
	w, err := env.output(path, what)
	if err != nil {
		return err
	}
	defer w.Discard()
	style := env.style()
	if w.Named() {
		style = terminal.Style{}
	}
	if err := write(w, style); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return w.Keep()
}

// print writes a document to the standard output in a format.
func (env *Env) print(d *table.Document, format table.Format) error {
	return env.writeResult("", output.ContentOf(format.Name), func(w *output.File, s terminal.Style) error { return format.Write(w, d, s) })
}

// printText writes a document to the standard output in the default format.
func (env *Env) printText(d *table.Document) error { return env.print(d, table.Formats()[0]) }

// writeTable prints a table to w, in the width of the standard output.
func (env *Env) writeTable(w io.Writer, t *table.Table) error { return t.Print(w, env.style()) }

// input opens the file that the first argument names; none and "-" are the standard input.
func (env *Env) input(args []string) (io.ReadCloser, error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(env.In), nil
	}
	f, err := input.OpenFile(args[0])
	if err != nil {
		return nil, errkind.Runtimef("check the path; - reads the standard input", "%w", err)
	}
	return f, nil
}
