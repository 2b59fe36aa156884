package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// An importResult is the result of an import for one run.
type importResult struct {
	Run   verbatim.Run
	New   bool  // the database did not have the run before
	Saved int64 // the number of saved records: new ones, and answers that replace failures
	Known int64 // the number of records that the database had already
}

// A lineError is an error in a line of a file.
type lineError struct {
	Line int64 // from 1
	Err  error
}

// Error names the line.
func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the error.
func (e *lineError) Unwrap() error { return e.Err }

// An importer reads lines and saves them.
type importer struct {
	file  *sqlite.File
	ctx   context.Context
	r     *bufio.Reader
	n     int64 // the number of the current line
	plans map[string]*verbatim.Plan

	// Of the current run:
	spool    *bufio.Writer // gets a copy of the lines; nil: none is necessary
	slices   *slicedTx     // nil: one transaction
	c        *sqlite.Conn
	inserter *inserter
	id       int64
	result   importResult
	records  int64
	prompts  map[int64]*promptRow // by hash: prompts of lines before the record that uses them
}

// bad returns a lineError of the current line.
func (in *importer) bad(format string, args ...any) error {
	return &lineError{in.n, fmt.Errorf(format, args...)}
}

// begin reads the first line.
func (in *importer) begin() error {
	l, err := in.next()
	if err == io.EOF {
		return fmt.Errorf("the file is empty")
	}
	if err == nil && l.Format == "" {
		err = in.bad("the first line is not {\"format\":%q}", exportFormat)
	}
	return err
}

// next returns the next line that is not blank; io.EOF after the last one.
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
			in.spool.Write(text) // Flush returns its error
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		return in.parse(text)
	}
}

// parse decodes a line, and checks that it has one member.
func (in *importer) parse(text []byte) (*line, error) {
	var l line
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, in.bad("not a line of an exported run: %w", err)
	}
	if len(bytes.TrimSpace(text[dec.InputOffset():])) > 0 {
		return nil, in.bad("the line has more than one JSON value")
	}
	if l.Format != "" && l.Format != exportFormat {
		return nil, in.bad("the format is %q, and this program reads only %q: import the file with the verbatim that wrote it", l.Format, exportFormat)
	}
	n := 0
	for _, there := range []bool{l.Format != "", l.Plan != nil, l.Run != nil, l.Batch != nil, l.Blob != nil, l.Item != nil, l.Prompt != nil, l.Record != nil, l.Tried != nil, l.End != nil} {
		if there {
			n++
		}
	}
	if n != 1 {
		return nil, in.bad("the line has %d members; want one, such as \"record\"", n)
	}
	return &l, nil
}

// exists reports whether the database has the run of a line already, and sets in.id then. A run
// with the same uid and another plan, model or test is an error.
func (in *importer) exists(l *runLine) (bool, error) {
	if l.Test != nil && l.Test.Verdict == "" && !l.Test.Closed.IsZero() {
		return false, in.bad("the test is closed and has no verdict")
	}
	var hash, model string
	var same bool
	found, err := in.c.QueryOne(in.ctx, func(r *sqlite.Rows) {
		in.id, hash, model, same = r.Int(), r.Text(), r.Text(), sameTest(r.Bytes(), l.Test)
	}, `SELECT run.id, plan.hash, model, test FROM run JOIN plan ON plan.id = run.plan WHERE uid = ?`, l.UID)
	if err != nil || !found {
		return false, err
	}
	if hash != l.Plan || model != l.Model || !same {
		return false, in.bad("run %s is in the database already, with another plan, model or test", l.UID)
	}
	return true, nil
}

// longestLine is the most bytes of a line: enough for an image or a long reply, and far less than
// the memory of a machine.
const longestLine = 256 << 20

var errLongLine = errors.New("the line is longer than 256 MiB")

// readLine is r.ReadBytes('\n') for lines of at most longestLine bytes; a longer one is
// errLongLine.
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
