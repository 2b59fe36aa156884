package cli

import (
	"bufio"
	"errors"
	"io"

	"verbatim/internal/errkind"
	"verbatim/internal/scratch"
	"verbatim/internal/terminal"
)

// A Content is a kind of output. It decides how the output is made safe for a terminal.
type outputContent int

const (
	textContent outputContent = iota // for people: a filter makes control characters visible, in files too
	JSON                             // unchanged in a file; on a terminal, control characters are escaped
	data                             // unchanged in a file; on a terminal, control characters are made visible
)

// contentOf returns the Content of a --format.
func contentOf(format string) outputContent {
	switch format {
	case "text", "md":
		return textContent
	case "json":
		return JSON
	}
	return data
}

// A File is a file that a command writes, or the standard output. A file gets its name in Keep, so
// that a command that fails leaves none behind.
type File struct {
	*bufio.Writer
	filter *terminal.Filter // of Writer; may be nil
	temp   *scratch.File    // nil for the standard output
	path   string
	forget func() // of Unfinished.Add
}

// A Destination opens the files of a command.
type destination struct {
	Stdout     io.Writer // without a filter
	Seal       terminal.Seal
	OnTerminal bool // Stdout is a terminal
	Unfinished *scratch.Unfinished
}

// Open creates the file at path, or returns the standard output for "-" and "".
func (d destination) Open(path string, what outputContent) (*File, error) {
	o := &File{path: path}
	to, onTerminal := d.Stdout, d.OnTerminal
	if path != "" && path != "-" {
		temp, err := scratch.Create(path)
		if err != nil {
			return nil, errkind.Runtimef("", "cannot write %s: %w", path, err)
		}
		o.temp, o.forget = temp, d.Unfinished.Add(temp.Discard)
		to, onTerminal = temp, false
	}
	switch {
	case what == textContent && o.temp == nil:
		o.filter = terminal.NewFilter(to, d.Seal)
	case what == textContent, what == data && onTerminal:
		o.filter = terminal.NewFilter(to, "")
	case what == JSON && onTerminal:
		o.filter = terminal.NewJSONFilter(to)
	}
	if o.filter != nil {
		to = o.filter
	}
	o.Writer = bufio.NewWriterSize(to, 1<<16)
	return o, nil
}

// Flush writes what is buffered.
func (o *File) Flush() error {
	err := o.Writer.Flush()
	if o.filter != nil {
		err = errors.Join(err, o.filter.Flush())
	}
	return err
}

// Keep writes what is buffered, and gives the file its name. It replaces an earlier file.
func (o *File) keep() error {
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
func (o *File) Discard() {
	if o.temp != nil {
		o.temp.Discard()
		o.forget()
	}
}

// Named reports whether o is a file and not the standard output.
func (o *File) named() bool { return o.temp != nil }
