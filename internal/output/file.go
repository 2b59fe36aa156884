// Package output writes what commands print: files that appear when they are complete, text
// that gives a terminal no orders, JSON documents and JSON lines.
package output

import (
	"bufio"
	"errors"
	"io"

	"verbatim/internal/errkind"
	"verbatim/internal/scratch"
	"verbatim/internal/terminal"
)

// A Content says what a command writes, and so how it is made safe for a terminal.
type Content int

const (
	Text Content = iota // for people: through a Filter wherever it goes
	JSON                // exact, except on a terminal, where controls are escaped
	Data                // exact, except on a terminal, where controls are made visible
)

// ContentOf returns the kind of content of a --format.
func ContentOf(format string) Content {
	switch format {
	case "text", "md":
		return Text
	case "json":
		return JSON
	}
	return Data
}

// A File is the file that -o names, or the standard output. A file takes its name in
// Keep, so that a failed command leaves none behind.
type File struct {
	*bufio.Writer
	filter *terminal.Filter // behind Writer, or nil
	temp   *scratch.File    // nil for the standard output
	path   string
	forget func() // of unfinished.Add
}

// A Destination is where a command writes.
type Destination struct {
	Stdout     io.Writer // without a filter
	Seal       terminal.Seal
	OnTerminal bool // Stdout is a terminal
	Unfinished *scratch.Unfinished
}

// Open makes the file of this path, or takes the standard output for "-" and "".
func (d Destination) Open(path string, what Content) (*File, error) {
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
	case what == Text && o.temp == nil:
		o.filter = terminal.NewFilter(to, d.Seal)
	case what == Text, what == Data && onTerminal:
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

// Keep writes what is buffered and gives the file its name.
func (o *File) Keep() error {
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

// Named reports whether it is a file with a name, and not the standard output.
func (o *File) Named() bool { return o.temp != nil }
