package jsonl

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/rawjson"
	"verbatim/internal/task"
)

// A Result counts the lines that Grade read.
type Result struct {
	Graded int64
	Bad    int64
	Named  []badLine // the first maxNamed of the bad ones
}

// maxNamed is how many bad lines are named; more are only counted.
const maxNamed = 20

// A badLine is a line that could not be graded.
type badLine struct {
	N      int64 // from 1
	Reason string
}

func (b badLine) String() string { return fmt.Sprintf("line %d: %s", b.N, b.Reason) }

// maxLine is the size of the longest line that Grade accepts, in bytes.
const maxLine = 256 << 20

const (
	// blockSize is about how many bytes a worker gets at once.
	blockSize = 128 << 10
	// inFlight is how many bytes may be read and not yet written. A longer line
	// is alone in flight.
	inFlight = 32 << 20
)

// Grade reads JSON lines, grades each, and writes it with a member "grade" added
// at its end and nothing else changed, in the same order. A line has the form
//
//	{"want": …, "reply": …, "id"?, "source"?, "finish_reason"?, "facts"?, "grader"?, …}
//	{"item": {"want": …, …}, "reply": …, …}
//
// where want and source are strings or lists. A line without want and accept has its answer in another
// field, which fields finds. A grade that a line has already is
// replaced. Empty lines are skipped. A line that cannot be graded is counted and named in the
// Result, and written with "grade": null and the reason as "grade_error". Of a line that is not an
// object, only its number is written, as "line". The error
// is one of reading or writing. Memory is bounded by the longest line, not by the number of lines.
//
// Before Grade waits for more input, it writes all grades and calls flush, unless that
// is nil. So a program that sends one line at a time gets its grade at once.
func Grade(r io.Reader, w io.Writer, fields *task.Fields, flush func() error) (Result, error) {
	f := newFilter(w, flush)
	f.fields = fields
	return f.run(r)
}

// run reads r to its end and writes what it grades.
func (f *filter) run(r io.Reader) (Result, error) {
	workers := runtime.GOMAXPROCS(0)
	todo := make(chan *block)
	order := make(chan *block, 2*workers)
	g, ctx := errgroup.WithContext(context.Background())
	var readError error
	g.Go(func() error {
		defer close(todo)
		defer close(order)
		readError = f.read(ctx, r, func(b *block) error {
			for _, next := range []chan *block{order, todo} {
				select {
				case next <- b:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
		return nil // what was read before is still graded and written
	})
	for range workers {
		g.Go(func() error {
			var m grade.Memory
			for b := range todo {
				b.grade(f.grade, f.fields, &m)
			}
			return nil
		})
	}
	g.Go(func() error { return f.write(order) })
	err := g.Wait()
	if err == nil {
		err = f.flushAll()
	}
	if err == nil && readError != nil {
		err = fmt.Errorf("reading replies: %w", readError)
	}
	return f.result, err
}

// A filter holds what the reader and the writer of lines share.
type filter struct {
	grade  gradeFunc
	fields *task.Fields
	memory *semaphore.Weighted
	out    *bufio.Writer
	flush  func() error // called after out is flushed, or nil
	result Result
	free   chan *block // written blocks, whose memory is used again
}

// newFilter returns a filter that writes to w.
func newFilter(w io.Writer, flush func() error) *filter {
	return &filter{grade: (*grade.Memory).Try, fields: new(task.Fields), memory: semaphore.NewWeighted(inFlight), out: bufio.NewWriterSize(w, 2*blockSize), flush: flush, free: make(chan *block, 4)}
}

// flushAll writes everything that is buffered.
func (f *filter) flushAll() error {
	err := f.out.Flush()
	if err == nil && f.flush != nil {
		err = f.flush()
	}
	return err
}

// read cuts the input into blocks of whole lines and sends each before it waits for more input.
func (f *filter) read(ctx context.Context, r io.Reader, send func(*block) error) error {
	in := bufio.NewReaderSize(r, blockSize)
	line := int64(1)
	for {
		b := f.newBlock(line)
		n, readError := b.fill(in)
		line += n
		if n > 0 {
			if err := f.memory.Acquire(ctx, b.weight()); err != nil {
				return err
			}
			if err := send(b); err != nil {
				return err
			}
		}
		if readError == io.EOF {
			return nil
		}
		if readError != nil {
			return readError
		}
	}
}

// write writes the blocks in order, and flushes when the next one is not ready.
func (f *filter) write(order <-chan *block) error {
	for {
		var b *block
		select {
		case b = <-order:
		default:
			if err := f.flushAll(); err != nil {
				return err
			}
			b = <-order
		}
		if b == nil {
			return nil
		}
		<-b.done
		if _, err := f.out.Write(b.out); err != nil {
			return err
		}
		f.result.Graded += b.good
		f.result.Bad += int64(len(b.bad))
		room := maxNamed - len(f.result.Named)
		f.result.Named = append(f.result.Named, b.bad[:min(room, len(b.bad))]...)
		f.memory.Release(b.weight())
		f.reuse(b)
	}
}

// newBlock returns an empty block whose first line has the number first.
func (f *filter) newBlock(first int64) *block {
	b := new(block)
	select {
	case b = <-f.free:
	default:
	}
	*b = block{first: first, lines: b.lines[:0], out: b.out[:0], done: make(chan struct{})}
	return b
}

// reuse keeps the memory of a block that is written, unless a long line needed it.
func (f *filter) reuse(b *block) {
	if len(b.lines) > 4*blockSize || len(b.out) > 16*blockSize {
		return
	}
	select {
	case f.free <- b:
	default:
	}
}

// A block is some whole lines on their way from the reader through a
// worker to the writer.
type block struct {
	first   int64 // number of the first line
	lines   []byte
	tooLong int64 // the number of the last line if it is longer than maxLine, otherwise 0

	done chan struct{} // closed when what follows is set
	out  []byte
	good int64
	bad  []badLine
}

// weight returns how much of the memory in flight the block takes.
func (b *block) weight() int64 { return int64(min(len(b.lines), inFlight)) }

// fill reads lines until the block is full or no more input is buffered.
// It returns their number, and the error of reading that came after them. A line
// that is longer than maxLine ends the block; an empty one takes its place.
func (b *block) fill(in *bufio.Reader) (n int64, err error) {
	start := 0 // of the line that is being read
	for {
		piece, err := in.ReadSlice('\n')
		if b.tooLong == 0 {
			b.lines = append(b.lines, piece...)
			if len(b.lines)-start > maxLine {
				b.tooLong = b.first + n
				b.lines = append(b.lines[:start], '\n')
			}
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(b.lines) > start {
			return n + 1, err // the last line needs no end
		}
		if err != nil {
			b.lines = b.lines[:start]
			return n, err
		}
		n++
		start = len(b.lines)
		if b.tooLong > 0 || start >= blockSize || in.Buffered() == 0 {
			return n, nil
		}
	}
}

// grade grades the lines of the block with the buffers of m.
func (b *block) grade(gradeReply gradeFunc, fields *task.Fields, m *grade.Memory) {
	defer close(b.done)
	if cap(b.out) == 0 {
		b.out = make([]byte, 0, 3*len(b.lines))
	}
	n := b.first
	for text := range bytes.Lines(b.lines) {
		text = bytes.TrimSpace(text)
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) > 0 {
			out, err := appendGraded(b.out, text, gradeReply, fields, m)
			if err != nil {
				b.refuse(n, text, err.Error())
			} else {
				b.out = out
				b.good++
			}
		}
		n++
	}
	if b.tooLong > 0 {
		b.refuse(b.tooLong, nil, fmt.Sprintf("longer than %d MB", maxLine>>20))
	}
}

// refuse notes line n as a bad one and writes it with the reason why it has no grade.
func (b *block) refuse(n int64, text []byte, reason string) {
	b.bad = append(b.bad, badLine{n, reason})
	b.out = appendRefused(b.out, text, n, reason)
}

// appendGrade appends g as JSON, with the keys of verbatim.Grade in their order.
// It writes what json.Marshal writes in a tenth of the time. Otherwise writing a
// grade would take longer than finding it.
func appendGrade(dst []byte, g *verbatim.Grade) []byte {
	dst = appendString(append(dst, `{"outcome":`...), string(g.Outcome))
	dst = appendString(append(dst, `,"label":`...), g.Label)
	if g.Detail != "" {
		dst = appendString(append(dst, `,"detail":`...), g.Detail)
	}
	dst = strconv.AppendBool(append(dst, `,"exact":`...), g.Exact)
	dst = strconv.AppendBool(append(dst, `,"extracted":`...), g.Extracted)
	if g.Span != nil {
		dst = strconv.AppendInt(append(dst, `,"span":{"start":`...), int64(g.Span.Start), 10)
		dst = append(strconv.AppendInt(append(dst, `,"end":`...), int64(g.Span.End), 10), '}')
	}
	if g.Rule != "" {
		dst = appendString(append(dst, `,"rule":`...), g.Rule)
	}
	dst = append(dst, `,"score":`...)
	if g.Score == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendNumber(dst, *g.Score)
	}
	if g.Repair != "" {
		dst = appendString(append(dst, `,"repair":`...), g.Repair)
	}
	for i, flag := range g.Flags {
		if i == 0 {
			dst = append(dst, `,"flags":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendString(dst, flag)
	}
	if len(g.Flags) > 0 {
		dst = append(dst, ']')
	}
	if len(g.Measures) > 0 {
		dst = appendMeasures(append(dst, `,"measures":`...), g.Measures)
	}
	return append(appendString(append(dst, `,"grader":`...), g.Grader), '}')
}

// appendMeasures appends m as an object, sorted by name.
func appendMeasures(dst []byte, m map[string]float64) []byte {
	start := len(dst)
	dst = append(dst, '{')
	written, usual := 0, listMeasures
	if _, ok := m["want_length"]; ok {
		usual = textMeasures
	}
	for _, name := range usual {
		if value, ok := m[name]; ok {
			dst = appendNumber(append(append(append(dst, '"'), name...), `":`...), value)
			dst = append(dst, ',')
			written++
		}
	}
	if written == len(m) {
		dst[len(dst)-1] = '}'
		return dst
	}
	return appendSorted(dst[:start], m)
}

// The measures of the graders, sorted. Others can be written too, but slower.
var (
	textMeasures = []string{"deletions", "distance", "distance_lower_bound", "first_error", "graphemes", "hamming", "insertions", "lcp", "lcp_share", "length",
		"ned", "recall", "similarity", "source_index", "substitutions", "swaps", "value", "want_graphemes", "want_length"}
	listMeasures = []string{"additional", "faithfulness", "has_ellipsis", "is_list", "missing", "output_items", "parsed", "required_cast", "sortbench",
		"sortbench_published", "sortbench_standard", "sorting", "sorting_published", "sorting_standard", "unordered_neighbors", "unordered_pairs", "validity"}
)

// appendSorted is appendMeasures for measures of any names.
func appendSorted(dst []byte, m map[string]float64) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNumber(append(appendString(dst, name), ':'), m[name])
	}
	return append(dst, '}')
}

// appendNumber appends f, which is finite.
func appendNumber(dst []byte, f float64) []byte {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

// appendString appends s as a JSON string, with escapes for characters that are not printable.
func appendString(dst []byte, s string) []byte {
	start := len(dst)
	dst = rawjson.AppendString(dst, s)
	for i := range len(s) {
		if s[i] >= 0x7f {
			return append(dst[:start], rawjson.Printable(dst[start:])...)
		}
	}
	return dst
}
