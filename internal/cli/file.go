package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"verbatim/internal/scratch"
)

// An outFile is the file that -o names, or the standard output. A file takes
// its name in Keep, so that a failed command leaves none behind.
type outFile struct {
	*bufio.Writer
	temp   *scratch.File // nil for the standard output
	path   string
	forget func() // of unfinished.add
}

func (env *Env) output(path string) (*outFile, error) {
	if path == "" || path == "-" {
		return &outFile{Writer: bufio.NewWriterSize(env.Out, 1<<16)}, nil
	}
	temp, err := scratch.Create(path)
	if err != nil {
		return nil, failed("", "cannot write %s: %w", path, err)
	}
	return &outFile{bufio.NewWriterSize(temp, 1<<16), temp, path, env.unfinished.add(temp.Discard)}, nil
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
		return failed("", "cannot write %s: %w", o.path, err)
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
	f, err := os.Open(args[0])
	if err != nil {
		return nil, failed("", "%w", err)
	}
	return f, nil
}

// writeNote prints a line of talk.
func writeNote(env *Env, format string, args ...any) {
	fmt.Fprintf(env.Err, format+"\n", args...)
}
