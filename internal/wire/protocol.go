package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"verbatim"
	"verbatim/internal/memory"
	"verbatim/internal/rawjson"
)

// A protocol is one way to ask and to answer, as functions that know nothing of
// the network.
type protocol struct {
	name     string // "chat completions", for people
	thoughts []string
	// root is the path that a base URL without one gets, such as "/v1"; "" adds none.
	root string
	// models is the path of the list of models, for hints; "" is "/models".
	models string
	// auth names the header that carries the key as it is; "" is the common
	// "Authorization: Bearer …". Endpoint.AuthHeader comes first.
	auth string
	// lines: a stream has a JSON document on every line, not server-sent events.
	lines bool
	// request makes what is sent. It refuses what it could only send by changing it.
	request func(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (request, error)
	// reader reads an answer into a.
	reader func(a *answer) reader
}

// A request is what is sent.
type request struct {
	path   string
	query  string      // next to that of the base URL: "alt=sse"
	header http.Header // next to those of the endpoint
	sent   []byte      // the body without the prompt, a JSON object
	body   []byte
	once   bool // it is not sent again on another connection: that might make two of what it makes
}

// A reader reads one answer. Its errors are a *serverError that came in the
// answer's place, an unreadableError or a cutError.
type reader interface {
	// event adds one event of a stream. The answer is done when its end marker
	// has come.
	event(event) error
	// document adds an answer that came in one piece. The body is valid JSON and
	// an object or an array.
	document(body []byte) error
	// complete says what is missing of an answer that ended properly, if anything.
	complete(e *Endpoint) error
}

// ask sends the prompt of r and reads the answer into *reply. The error is a *verbatim.Failure
// with one attempt.
//
// What runs before and after the waits for the server has functions of its own: what
// waits is on the stack of each request in flight, and ought to be small.
func (p *protocol) ask(ctx context.Context, e *Endpoint, r *verbatim.Request, reply *verbatim.Reply) error {
	c := begin(ctx, e)
	defer c.end()
	p.adapt(&c.e)
	q, err := p.prepare(c, r)
	if err != nil {
		return err
	}
	res, err := c.post(q)
	if err != nil {
		return c.lost(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return c.refused(res)
	}
	in, release := c.e.buffer(c.body(res))
	defer release()
	a := c.answer()
	to := p.reader(a)
	if err := p.read(&c.e, in, max(0, res.ContentLength), a, to); err != nil {
		return c.spoiled(err, a, p)
	}
	if err := a.check(&c.e, to); err != nil {
		return c.spoiled(err, a, p)
	}
	c.reply(reply, a, p, q.sent)
	c.drain(in)
	return nil
}

// askByValue is ask for values.
func (p *protocol) askByValue(ctx context.Context, e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) (reply verbatim.Reply, err error) {
	err = p.ask(ctx, &e, &verbatim.Request{Prompt: prompt, MaxTokens: maxTokens, Params: params}, &reply)
	return reply, err
}

// prepare makes what is sent.
//
//go:noinline
func (p *protocol) prepare(c *call, r *verbatim.Request) (*request, error) {
	c.expect(r.MaxTokens)
	q, err := p.request(c.e, r.Prompt, r.MaxTokens, r.Params)
	if err != nil {
		return nil, c.fail(verbatim.Failure{Class: verbatim.BadAsk, Err: err,
			Hint: "this was refused before it was sent"}, "")
	}
	return &q, nil
}

// at returns the endpoint with what the protocol says of it.
func (p *protocol) at(e Endpoint) Endpoint {
	p.adapt(&e)
	return e
}

// adapt adds to an endpoint what the protocol says of it.
func (p *protocol) adapt(e *Endpoint) {
	e.root, e.models, e.AuthHeader = p.root, p.models, or(e.AuthHeader, p.auth)
}

// read reads the whole of an answer: a stream of events, or a document, as what
// comes decides, for some servers know only one way. length is what the server
// says of it, 0 where it says nothing. nil means that it ended properly; whether
// it is complete is another question.
func (p *protocol) read(e *Endpoint, in *bufio.Reader, length int64, a *answer, to reader) error {
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

// refused makes a failure of a response whose status is not one of success.
func (c *call) refused(res *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(c.body(res), 64<<10))
	var unreadable unreadableError // then the status says enough
	if err != nil && len(body) == 0 && !errors.As(err, &unreadable) {
		return c.lost(verbatim.Transport, err, "")
	}
	s := readError(body, c.e.Key)
	if to := res.Header.Get("Location"); to != "" && res.StatusCode/100 == 3 {
		s = &serverError{message: "it points to " + Clean(c.e.Key.hide(to), longestMessage)}
	}
	if len(body) == 0 && s.message == "" {
		s.message = http.StatusText(res.StatusCode)
	}
	class := classify(res.StatusCode, s)
	return c.fail(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: advise(class, res.StatusCode, s, c.e)}, "")
}

// spoiled makes a failure of an answer that began with a status of success.
func (c *call) spoiled(err error, a *answer, p *protocol) error {
	partial := string(a.text)
	var s *serverError
	var unreadable unreadableError
	var cut cutError
	switch {
	case errors.As(err, &s):
		class := classify(s.number(), s)
		return c.fail(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: advise(class, s.number(), s, c.e)}, partial)
	case errors.As(err, &unreadable):
		return c.fail(verbatim.Failure{Class: verbatim.Content, Err: err,
			Hint: "the endpoint does not speak " + p.name + " as it should"}, partial)
	case errors.As(err, &cut):
		return c.fail(verbatim.Failure{Class: verbatim.Cut, Err: err, Hint: cut.hint(c.bytes)}, partial)
	}
	// Once a server has begun to answer, whatever ends it early is a cut.
	return c.lost(verbatim.Cut, err, partial)
}

// An unreadableError is an answer that is not what the protocol says.
type unreadableError struct{ what string }

func (u unreadableError) Error() string { return u.what }

// A cutError is an answer that ended properly for the network, but without what
// says that it was all.
type cutError struct{ what string }

func (c cutError) Error() string { return c.what }

func (c cutError) hint(bytes int64) string {
	if bytes == 0 {
		return "the server sent nothing at all; some do so when a prompt is too long for them"
	}
	return "the server, or something between, broke the answer off; ask again"
}
