package jsonl

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"verbatim/internal/grade"
)

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
func (b *block) grade(gradeReply gradeFunc, m *grade.Memory) {
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
			out, err := appendGraded(b.out, text, gradeReply, m)
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
