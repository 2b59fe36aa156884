package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"verbatim/internal/memory"
	"verbatim/internal/rawjson"
)

// read reads the whole of an answer: a stream of events, or a document, as what
// comes decides, for some servers know only one way. length is what the server
// says of it, 0 where it says nothing. nil means that it ended properly; whether
// it is complete is another question.
func (p *Protocol) read(e *Endpoint, in *bufio.Reader, length int64, a *answer, to reader) error {
	form, err := peekForm(in)
	switch {
	case err == io.EOF:
		return cutError{"the answer is empty"}
	case err != nil:
		return err
	case form == 0x1F:
		return unreadableError{"the answer is compressed, and its header does not say so"}
	case p.lines && e.Stream && form == '{':
		return readLines(in, a, to)
	case form == '{' || form == '[' || form == '<':
		return readDocument(in, length, a, to)
	}
	return readStream(in, a, to)
}

// readDocument reads an answer in one piece.
func readDocument(in io.Reader, length int64, a *answer, to reader) error {
	var b bytes.Buffer
	b.Grow(int(min(length, memory.Free)) + bytes.MinRead)
	if err := readHeld(&b, in, a); err != nil {
		return err
	}
	body := b.Bytes()
	switch {
	case body[0] == '<':
		return readError(body, a.key)
	case rawjson.Valid(body):
	case breaksOff(body):
		return cutError{"the answer's JSON breaks off"}
	default:
		var v any
		err := json.Unmarshal(body, &v)
		if err == nil {
			err = errors.New("it is not JSON")
		}
		return unreadableError{"the answer cannot be read: " + Clean(err.Error(), longestMessage)}
	}
	if err := to.document(body); err != nil {
		return err
	}
	return a.arrived(false)
}

// readHeld reads all that is in in, as far as there is room for it.
func readHeld(b *bytes.Buffer, in io.Reader, a *answer) error {
	for {
		if err := a.hold(b.Len() + bytes.MinRead); err != nil {
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
func readStream(in *bufio.Reader, a *answer, to reader) error {
	events := newEventReader(in)
	events.hold = a.hold
	for {
		ev, err := events.next()
		if err == io.EOF {
			a.torn = events.open
			return nil
		}
		if err != nil {
			return err
		}
		if err := to.event(ev); err != nil {
			return err
		}
		if err := a.arrived(true); err != nil || a.done {
			return err
		}
	}
}

// readLines reads a document a line as events without a name. A last line
// without its end counts: a document says itself whether it is whole.
func readLines(in *bufio.Reader, a *answer, to reader) error {
	var line []byte
	for {
		more, err := in.ReadSlice('\n')
		line = append(line, more...)
		if err == bufio.ErrBufferFull {
			if err := a.hold(len(line)); err != nil {
				return err
			}
			continue
		}
		data := bytes.TrimSpace(line)
		switch {
		case len(data) == 0:
		case err != nil && err != io.EOF && !rawjson.Valid(data):
			return err
		case err != nil && breaksOff(data):
			return cutError{"a line of the answer breaks off"}
		default:
			if err := to.event(event{data: data}); err != nil {
				return err
			}
			if err := a.arrived(true); err != nil {
				return err
			}
		}
		switch {
		case a.done, err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		line = line[:0]
	}
}
