package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"verbatim/internal/app"
	"verbatim/internal/scratch"
	"verbatim/internal/terminal"
)

// A content says what a command writes, and so what a terminal must be spared.
type content int

const (
	asText content = iota // for people: through a Filter wherever it goes
	asJSON                // exact, except on a terminal, where controls are escaped
	asData                // exact, except on a terminal, where controls are made visible
)

// contentOf is the content of a --format.
func contentOf(format string) content {
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
	forget func() // of unfinished.add
}

func (env *Env) output(path string, what content) (*outFile, error) {
	o := &outFile{path: path}
	var to io.Writer = env.rawOut
	onTerminal := env.OutWidth > 0
	if path != "" && path != "-" {
		temp, err := scratch.Create(path)
		if err != nil {
			return nil, app.RuntimeError("", "cannot write %s: %w", path, err)
		}
		o.temp, o.forget = temp, env.unfinished.add(temp.Discard)
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

// Keep writes what is buffered and gives the file its name.
func (o *outFile) Keep() error {
	err := o.Flush()
	if o.filter != nil {
		err = errors.Join(err, o.filter.Flush())
	}
	if o.temp == nil {
		return err
	}
	if err == nil {
		err = o.temp.Commit()
	}
	if err != nil {
		return app.RuntimeError("", "cannot write %s: %w", o.path, err)
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
	f, err := app.OpenFile(args[0])
	if err != nil {
		return nil, app.RuntimeError("", "%w", err)
	}
	return f, nil
}

// writeNote prints one line of talk, whatever names from outside are in it.
func writeNote(env *Env, format string, args ...any) {
	fmt.Fprintln(env.Err, terminal.SafeLine(fmt.Sprintf(format, args...)))
}
