package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/scratch"
	"verbatim/internal/terminal"
)

// A contentKind says what a command writes, and so how it is made safe for a terminal.
type contentKind int

const (
	asText contentKind = iota // for people: through a Filter wherever it goes
	asJSON                    // exact, except on a terminal, where controls are escaped
	asData                    // exact, except on a terminal, where controls are made visible
)

// contentOf returns the kind of content of a --format.
func contentOf(format string) contentKind {
	switch format {
	case "text", "md":
		return asText
	case "json":
		return asJSON
	}
	return asData
}

// An outFile is the file that -o names, or the standard output. A file takes
// its name in Keep, so that a failed command leaves none behind.
type outFile struct {
	*bufio.Writer
	filter *terminal.Filter // behind Writer, or nil
	temp   *scratch.File    // nil for the standard output
	path   string
	forget func() // of unfinished.Add
}

func (env *Env) output(path string, what contentKind) (*outFile, error) {
	o := &outFile{path: path}
	var to io.Writer = env.rawOut
	onTerminal := env.OutWidth > 0
	if path != "" && path != "-" {
		temp, err := scratch.Create(path)
		if err != nil {
			return nil, errkind.Runtimef("", "cannot write %s: %w", path, err)
		}
		o.temp, o.forget = temp, env.unfinished.Add(temp.Discard)
		to, onTerminal = temp, false
	}
	switch {
	case what == asText && o.temp == nil:
		o.filter = terminal.NewFilter(to, env.seal)
	case what == asText, what == asData && onTerminal:
		o.filter = terminal.NewFilter(to, "")
	case what == asJSON && onTerminal:
		o.filter = terminal.NewJSONFilter(to)
	}
	if o.filter != nil {
		to = o.filter
	}
	o.Writer = bufio.NewWriterSize(to, 1<<16)
	return o, nil
}

// Flush writes what is buffered.
func (o *outFile) Flush() error {
	err := o.Writer.Flush()
	if o.filter != nil {
		err = errors.Join(err, o.filter.Flush())
	}
	return err
}

// Keep writes what is buffered and gives the file its name.
func (o *outFile) Keep() error {
	err := o.Flush()
	if o.temp == nil {
		return err
	}
	if err == nil {
		err = o.temp.Commit()
	}
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", o.path, err)
	}
	return nil
}

// Discard removes the file unless it was kept.
func (o *outFile) Discard() {
	if o.temp != nil {
		o.temp.Discard()
		o.forget()
	}
}

// input opens the file that an argument names, or the standard input for "-" and none.
func (env *Env) input(args []string) (io.ReadCloser, error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(env.In), nil
	}
	f, err := input.OpenFile(args[0])
	if err != nil {
		return nil, errkind.Runtimef("", "%w", err)
	}
	return f, nil
}

// writeNote prints one line of talk, whatever names from outside are in it.
func writeNote(env *Env, format string, args ...any) {
	fmt.Fprintln(env.Err, terminal.WrapLines(terminal.SafeLine(fmt.Sprintf(format, args...)), env.ErrWidth))
}
