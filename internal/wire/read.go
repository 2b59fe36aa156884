package wire

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/memory"
	"verbatim/internal/rawjson"
	"verbatim/internal/reasoning"
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
	body, isJSON := ReadJSON(b.Bytes())
	switch {
	case body[0] == '<':
		return readError(body, a.key)
	case !isJSON && breaksOff(body):
		return cutError{"the JSON of the reply breaks off"}
	case !isJSON:
		return unreadableError{"the reply cannot be read: " + CleanLine(rawjson.Check(body, rawjson.MaxDepth).Error(), maxMessage)}
	}
	if err := to.document(body); err != nil {
		return err
	}
	return a.noteProgress(false)
}

// pythonNumber matches strings, and the numbers that JSON does not have and Python writes.
var pythonNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|Infinity|NaN`)

// ReadJSON returns data without the white space around it, and whether it is JSON. A number that only
// Python writes becomes one beyond float64, or null: a log probability of -Infinity loses no answer.
func ReadJSON(data []byte) ([]byte, bool) {
	data = bytes.TrimSpace(data)
	if rawjson.Valid(data) {
		return data, true
	}
	finite := pythonNumber.ReplaceAllFunc(data, func(word []byte) []byte {
		switch word[0] {
		case 'I':
			return []byte("1e999")
		case 'N':
			return []byte("null")
		}
		return word
	})
	if rawjson.Valid(finite) {
		return finite, true
	}
	return data, false
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

// decode returns a reader of the decompressed body of a response. No compression is
// requested, because it delays the first words, but some gateways compress anyway. gzip and
// deflate are read; another encoding is an error that names it.
func decode(res *http.Response) io.Reader {
	values := res.Header["Content-Encoding"]
	if len(values) == 0 {
		return res.Body
	}
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(values, ",")))
	switch encoding {
	case "", "identity":
		return res.Body
	case "gzip", "x-gzip":
		return &decoder{raw: res.Body, name: encoding, open: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }}
	case "deflate":
		return &decoder{raw: res.Body, name: encoding, open: func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }}
	}
	return &decoder{err: unreadableError{"the reply is encoded as " + CleanLine(encoding, 40) + ", though no encoding was requested"}}
}

// A decoder decompresses what it reads. It begins with the first read, which waits
// for the server.
type decoder struct {
	raw  io.Reader
	name string
	open func(io.Reader) (io.Reader, error)
	in   io.Reader // nil before the first read
	err  error     // the error of all further reads
}

// Read implements io.Reader.
func (d *decoder) Read(p []byte) (n int, err error) {
	if d.err != nil {
		return 0, d.err
	}
	if d.in == nil {
		d.in, err = d.open(d.raw)
	}
	if err == nil {
		n, err = d.in.Read(p)
	}
	if err != nil {
		d.err = d.explain(err)
	}
	return n, d.err
}

// explain returns err, or an error that names the encoding if the bytes are not encoded so.
func (d *decoder) explain(err error) error {
	_, isCorrupt := errors.AsType[flate.CorruptInputError](err)
	for _, wrong := range []error{gzip.ErrHeader, gzip.ErrChecksum, zlib.ErrHeader, zlib.ErrChecksum} {
		isCorrupt = isCorrupt || errors.Is(err, wrong)
	}
	if isCorrupt {
		return unreadableError{"the reply is not encoded as its header says: " + d.name}
	}
	return err
}

// A Content limits a stream: its text without reasoning, and all of it.
type limitedContent struct {
	Tokens int // limit on the text; 0: no limit
	Whole  int // the token limit that was sent: text and reasoning

	events int  // number of events with text: each has a token or more
	all    int  // number of events with text or reasoning
	begun  bool // the answer has begun
	from   int  // where in the text the answer begins, if it has begun
	look   int  // length of the text at which to look again for the end of reasoning
}

// Exceeded counts an event with text or reasoning, and reports whether the reply is too long.
// text is the whole text so far, thought the number of bytes of reasoning in a field of its
// own, and moreText says whether the event has text. tags are around reasoning in the text.
func (l *limitedContent) exceeded(text []byte, thought int, moreText bool, tags reasoning.Tags) bool {
	if l.Tokens == 0 {
		return false
	}
	l.all++
	return l.ignored(len(text)+thought) || moreText && l.Tokens < l.Whole && l.textExceeded(text, tags)
}

// ignored reports whether the server ignores the token limit that was sent. A server that
// obeys it ends the reply itself, which gives token counts and keeps the connection. It may
// send one character per event, or many bytes per token, but not both, and never more than 16
// bytes per token on average.
func (l *limitedContent) ignored(bytes int) bool {
	limit := l.Whole * verbatim.BytesPerToken
	return bytes > 4*limit || l.all > l.Whole && bytes > limit
}

// textExceeded reports whether the text is too long, where the limit that was sent is higher. No
// exact answer exceeds it: such an answer has at most as many events and bytes as the expected
// text has bytes, and Tokens is at least that number.
func (l *limitedContent) textExceeded(text []byte, tags reasoning.Tags) bool {
	if !l.begun {
		if len(text) < l.look {
			return false
		}
		if l.from = reasoning.ContentStart(text, tags); l.from == len(text) {
			l.look = len(text) + len(text)/16 + 1 // each look reads the whole text
			return false
		}
		l.begun = true
	}
	l.events++
	return l.events > l.Tokens || len(text)-l.from > l.Tokens*verbatim.BytesPerToken
}

// End returns how many bytes are saved of a text that is too long: whole characters.
func (l *limitedContent) End(text []byte) int {
	end := l.Whole * verbatim.BytesPerToken
	if l.begun {
		end = l.from + l.Tokens*verbatim.BytesPerToken
	}
	end = min(end, len(text))
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}
