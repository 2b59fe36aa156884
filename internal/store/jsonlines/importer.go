package jsonlines

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"verbatim"
	"verbatim/internal/store/lease"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// An ImportResult says what an import did to one run.
type ImportResult struct {
	Run   verbatim.Run
	New   bool  // the file had no such run before
	Saved int64 // records that were saved: new ones, and answers where there was none
	Known int64 // records that the file had already
}

// A LineError says in which line of a file, counted from 1, something is wrong.
type LineError struct {
	Line int64
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *LineError) Unwrap() error { return e.Err }

// An importer reads lines and keeps what they say.
type importer struct {
	file   *sqlite.File
	ctx    context.Context
	r      *bufio.Reader
	n      int64  // the number of the current line
	format string // of the lines, as the last format line says
	plans  map[string]*verbatim.Plan

	// of the current run:
	spool    *bufio.Writer   // takes a copy of the lines; nil: they are not needed again
	slices   *lease.SlicedTx // nil: all is one transaction
	c        *sqlite.Conn
	inserter *rows.Inserter
	id       int64
	result   ImportResult
	records  int64
	prompts  map[int64]*rows.PromptRow // announced, and not yet used by a record
}

func (in *importer) bad(format string, args ...any) error {
	return &LineError{in.n, fmt.Errorf(format, args...)}
}

// begin reads the first line.
func (in *importer) begin() error {
	l, err := in.next()
	if err == io.EOF {
		return fmt.Errorf("the file is empty")
	}
	if err == nil && l.Format == "" {
		err = in.bad("the first line is not {\"format\":%q}", Format)
	}
	return err
}

// next reads a line; lines of white space are passed over.
func (in *importer) next() (*line, error) {
	for {
		if err := in.ctx.Err(); err != nil {
			return nil, err
		}
		text, err := readLine(in.r)
		if errors.Is(err, errLongLine) {
			in.n++
			return nil, in.bad("%w", err)
		}
		if err != nil && (err != io.EOF || len(text) == 0) {
			return nil, err
		}
		in.n++
		if in.spool != nil {
			in.spool.Write(text) // an error is Flush's
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		return in.parse(text)
	}
}

func (in *importer) parse(text []byte) (*line, error) {
	if in.format != "" && in.format != Format {
		var err error
		if text, err = renamedLine(text); err != nil {
			return nil, in.bad("%w", err)
		}
	}
	var l line
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, in.bad("not a line of an exported run: %w", err)
	}
	if dec.More() {
		return nil, in.bad("more than one JSON value")
	}
	if l.Format != "" && !canImport(l.Format) {
		return nil, in.bad("format %q is not %q, which is what this program reads", l.Format, Format)
	}
	if l.Format != "" {
		in.format = l.Format
	}
	n := 0
	for _, there := range []bool{l.Format != "", l.Plan != nil, l.Run != nil, l.Batch != nil, l.Blob != nil, l.Item != nil, l.Prompt != nil, l.Record != nil, l.Tried != nil, l.End != nil} {
		if there {
			n++
		}
	}
	if n != 1 {
		return nil, in.bad("a line has one member of this kind; this one has %d", n)
	}
	return &l, nil
}

// exists reports whether the run that the line names is here already.
func (in *importer) exists(l *runLine) (bool, error) {
	if l.Test != nil && l.Test.Verdict == "" && !l.Test.Closed.IsZero() {
		return false, in.bad("a test that is closed has a verdict")
	}
	var hash, model string
	var same bool
	found, err := in.c.QueryOne(in.ctx, func(r *sqlite.Rows) {
		in.id, hash, model, same = r.Int(), r.Text(), r.Text(), rows.SameTest(r.Bytes(), l.Test)
	}, `SELECT run.id, plan.hash, model, test FROM run JOIN plan ON plan.id = run.plan WHERE uid = ?`, l.UID)
	if err != nil || !found {
		return false, err
	}
	if hash != l.Plan || model != l.Model || !same {
		return false, in.bad("run %s is in the database already, with another plan, model or test", l.UID)
	}
	return true, nil
}

// longestLine bounds a line: the bytes of an image, or a reply, and far from what fills
// the memory of a machine.
const longestLine = 256 << 20

var errLongLine = errors.New("the line is longer than 256 MiB")

// readLine reads up to the end of a line, or of the file, as ReadBytes does.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > longestLine {
			return nil, errLongLine
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}
