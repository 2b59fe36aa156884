package jsonl

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"verbatim/internal/grade"
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
// where want and source are strings or lists. A grade that a line has already is
// replaced. Empty lines are skipped. A line that cannot be graded is counted and named in the
// Result, and written with "grade": null and the reason as "grade_error". Of a line that is not an
// object, only its number is written, as "line". The error
// is one of reading or writing. Memory is bounded by the longest line, not by the number of lines.
//
// Before Grade waits for more input, it writes all grades and calls flush, unless that
// is nil. So a program that sends one line at a time gets its grade at once.
func Grade(r io.Reader, w io.Writer, flush func() error) (Result, error) {
	return newFilter(w, flush).run(r)
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
				b.grade(f.grade, &m)
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
	memory *semaphore.Weighted
	out    *bufio.Writer
	flush  func() error // called after out is flushed, or nil
	result Result
	free   chan *block // written blocks, whose memory is used again
}

// newFilter returns a filter that writes to w.
func newFilter(w io.Writer, flush func() error) *filter {
	return &filter{grade: (*grade.Memory).Try, memory: semaphore.NewWeighted(inFlight), out: bufio.NewWriterSize(w, 2*blockSize), flush: flush, free: make(chan *block, 4)}
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
