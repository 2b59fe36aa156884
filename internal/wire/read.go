package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"verbatim/internal/memory"
	"verbatim/internal/rawjson"
)

// read reads a whole reply: a stream of events or a document. The bytes decide, because
// some servers know only one form. length is the Content-Length, 0 if unknown. The error is
// nil if the reply ended properly; reader.complete then checks whether it is complete.
func (p *Protocol) read(e *Endpoint, in *bufio.Reader, length int64, a *partialReply, to reader) error {
	form, err := peekForm(in)
	switch {
	case err == io.EOF:
		return cutError{"the reply is empty"}
	case err != nil:
		return err
	case form == 0x1F:
		return unreadableError{"the reply is compressed, and its header does not say so"}
	case p.lines && e.Stream && form == '{':
		return readLines(in, a, to)
	case form == '{' || form == '[' || form == '<':
		return readDocument(in, length, a, to)
	}
	return readStream(in, a, to)
}

// readDocument reads a reply in one piece.
func readDocument(in io.Reader, length int64, a *partialReply, to reader) error {
	var b bytes.Buffer
	b.Grow(int(min(length, memory.Free)) + bytes.MinRead)
	if err := readHeld(&b, in, a); err != nil {
		return err
	}
	body := b.Bytes()
	err := rawjson.Check(body, rawjson.MaxDepth)
	switch {
	case body[0] == '<':
		return readError(body, a.key)
	case err != nil && breaksOff(body):
		return cutError{"the JSON of the reply breaks off"}
	case err != nil:
		return unreadableError{"the reply cannot be read: " + CleanLine(err.Error(), maxMessage)}
	}
	if err := to.document(body); err != nil {
		return err
	}
	return a.noteProgress(false)
}

// readHeld reads all of in. It ends with an error at the size limit of a, and may wait for
// memory.
func readHeld(b *bytes.Buffer, in io.Reader, a *partialReply) error {
	for {
		if err := a.checkHeld(b.Len() + bytes.MinRead); err != nil {
			return err
		}
		b.Grow(bytes.MinRead)
		n, err := in.Read(b.AvailableBuffer()[:b.Available()])
		b.Write(b.AvailableBuffer()[:n])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// breaksOff reports whether body is the beginning of a JSON document.
func breaksOff(body []byte) bool {
	var v json.RawMessage
	return json.NewDecoder(bytes.NewReader(body)).Decode(&v) == io.ErrUnexpectedEOF
}

// readStream reads events up to the end marker, or to the end of the stream.
func readStream(in *bufio.Reader, a *partialReply, to reader) error {
	events := newEventReader(in)
	events.Limit = a.checkHeld
	for {
		ev, err := events.Next()
		if err == io.EOF {
			a.endsInEvent = events.EndsInEvent
			return nil
		}
		if err != nil {
			return err
		}
		if err := to.event(ev); err != nil {
			return err
		}
		if err := a.noteProgress(true); err != nil || a.done {
			return err
		}
	}
}

// readLines reads one JSON document per line as events without a name. A last line without
// line feed counts: a JSON document itself shows whether it is complete.
func readLines(in *bufio.Reader, a *partialReply, to reader) error {
	lines := lineReader{in: in, check: a.checkHeld}
	for {
		data, err := lines.next()
		switch {
		case len(data) == 0:
		case err != nil && err != io.EOF && !rawjson.Valid(data):
			return err
		case err != nil && breaksOff(data):
			return cutError{"a line of the reply breaks off"}
		default:
			if err := to.event(streamEvent{Data: data}); err != nil {
				return err
			}
			if err := a.noteProgress(true); err != nil {
				return err
			}
		}
		switch {
		case a.done, err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// A lineReader reads lines of any length.
type lineReader struct {
	in    *bufio.Reader
	check func(n int) error // called with the number of bytes of a line that is not complete yet
	line  []byte
}

// next returns the next line without the white space around it; it is valid until the next call. With an
// error, io.EOF included, it is the beginning of a line.
func (l *lineReader) next() ([]byte, error) {
	l.line = l.line[:0]
	for {
		more, err := l.in.ReadSlice('\n')
		l.line = append(l.line, more...)
		if err == bufio.ErrBufferFull {
			err = l.check(len(l.line))
			if err == nil {
				continue
			}
		}
		return bytes.TrimSpace(l.line), err
	}
}
