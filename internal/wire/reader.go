package wire

import (
	"bufio"
	"bytes"
)

// An Event is one server-sent event.
type streamEvent struct {
	Name string // "" when the server gave none
	Data []byte // valid until the next event is read
}

// A Reader reads a stream of server-sent events as the WHATWG HTML standard defines
// it (section 9.2.6). Lines end in LF, CR or CRLF. A leading byte order mark is skipped.
// Comments and unknown fields are ignored. Several data lines are joined by LF. An event
// without the blank line at its end is dropped. Bytes that are not UTF-8 are returned as they
// are.
//
// It accepts one field that the standard does not have: llama.cpp's server has written errors
// as a field named "error", which is read as the data of an event of that name.
type eventReader struct {
	// Limit is called with the number of bytes of an event that are in memory. Its error ends
	// the reading. nil is no limit.
	Limit func(n int) error
	// EndsInEvent says, after the last event, that the stream ended within an event.
	EndsInEvent bool

	r       *bufio.Reader
	started bool   // the first line was read
	skipLF  bool   // the last line ended in CR: an LF that follows belongs to it
	buf     []byte // the current line
	data    []byte // of the current event
	name    string // of the last event that had one: most events of a stream have the same
}

// newEventReader returns a reader of the events in r.
func newEventReader(r *bufio.Reader) *eventReader { return &eventReader{r: r} }

// Next returns the next event, or the error that ended the stream: io.EOF if it ended
// properly, also within an event.
func (e *eventReader) Next() (streamEvent, error) {
	var ev streamEvent
	e.data = e.data[:0]
	hasData := false
	for {
		line, err := e.line()
		if err != nil {
			e.EndsInEvent = hasData || len(e.buf) > 0
			return streamEvent{}, err
		}
		if len(line) == 0 {
			if !hasData {
				ev.Name = ""
				continue
			}
			ev.Data = e.data
			return ev, nil
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data", "error":
			if hasData {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
			if hasData { // line checks a single line
				if err := e.check(); err != nil {
					return streamEvent{}, err
				}
			}
			hasData = true
			if string(field) == "error" {
				ev.Name = "error"
			}
		case "event":
			if string(value) != e.name {
				e.name = string(value)
			}
			ev.Name = e.name
		}
	}
}

// check checks the size of the event so far.
func (e *eventReader) check() error {
	if e.Limit == nil {
		return nil
	}
	return e.Limit(len(e.buf) + len(e.data))
}

// line returns the next line without its end. A line is returned as soon as its CR or LF has
// arrived. The LF of a CRLF is skipped by the next call: it may arrive much later, and an
// event must not wait for it.
func (e *eventReader) line() ([]byte, error) {
	e.buf = e.buf[:0]
	for {
		if _, err := e.r.Peek(1); err != nil {
			return nil, err
		}
		b, _ := e.r.Peek(e.r.Buffered())
		if e.skipLF {
			e.skipLF = false
			if b[0] == '\n' {
				e.r.Discard(1)
				continue
			}
		}
		i := bytes.IndexAny(b, "\r\n")
		if i < 0 {
			e.buf = append(e.buf, b...)
			e.r.Discard(len(b))
			if err := e.check(); err != nil {
				return nil, err
			}
			continue
		}
		e.buf = append(e.buf, b[:i]...)
		e.skipLF = b[i] == '\r'
		e.r.Discard(i + 1)
		line := e.buf
		if !e.started {
			e.started = true
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		return line, nil
	}
}

// peekForm returns the first byte that is neither white space nor part of a byte order
// mark, and consumes only what is before it. '{' and '[' start a JSON document, '<' a web page,
// anything else a stream. The header does not decide this: servers send wrong content types.
// White space is skipped because servers send blank lines to keep a connection alive.
func peekForm(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.Peek(1)
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
			r.Discard(1)
		default:
			return b[0], nil
		}
	}
}
