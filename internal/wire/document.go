package wire

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// maxJSON is the size of the longest document that GetJSON accepts: lists of models have a
// megabyte or two.
const maxJSON = 8 << 20

// GetJSON returns the JSON document at path, which starts with a slash, such as a list of
// models. The error is a *verbatim.Failure: Overload while a server is still loading,
// BadAsk where a web page replies.
func GetJSON(ctx context.Context, e Endpoint, path string) ([]byte, error) {
	c, doc, err := fetch(ctx, e, path, maxJSON+1)
	if err != nil {
		return nil, err
	}
	if len(doc) > maxJSON {
		return nil, c.failure(verbatim.Failure{Class: verbatim.Content, Err: tooLongError(maxJSON)}, "")
	}
	doc = bytes.TrimSpace(doc)
	if rawjson.Valid(doc) {
		return doc, nil
	}
	if s := readError(doc, e.Key); s.webPage {
		return nil, c.failure(verbatim.Failure{Class: verbatim.BadAsk, Err: s, Hint: e.pathHint()}, "")
	}
	return nil, c.failure(verbatim.Failure{Class: verbatim.Content, Err: unreadableError{"the reply is not JSON"}, Hint: e.pathHint()}, "")
}

// GetText returns the text at path, which starts with a slash: its first maxBytes bytes. The
// error is a *verbatim.Failure.
func GetText(ctx context.Context, e Endpoint, path string, maxBytes int64) ([]byte, error) {
	_, text, err := fetch(ctx, e, path, maxBytes)
	return text, err
}

// fetch is GetText that returns the call too, for errors of what came.
func fetch(ctx context.Context, e Endpoint, path string, maxBytes int64) (*call, []byte, error) {
	e.Stream = false // the idle limit is for streams
	c := begin(ctx, &e)
	defer c.end()
	res, err := c.get(path, "")
	if err != nil {
		return c, nil, c.networkFailure(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return c, nil, c.statusFailure(res)
	}
	text, err := io.ReadAll(io.LimitReader(c.body(res), maxBytes))
	if err != nil {
		return c, nil, c.networkFailure(verbatim.Transport, err, "")
	}
	return c, text, nil
}

// get sends a GET request.
func (c *call) get(path, query string) (*http.Response, error) {
	req, err := c.e.request(http.MethodGet, path)
	if err != nil {
		return nil, badURL{err}
	}
	req.URL.RawQuery = joinQuery(req.URL.RawQuery, query)
	res, _, err := c.send(req)
	return res, err
}

// maxDocument is the size of the longest document that GetObject and PostObject accept. Those
// of Gemini's batch API hold all results.
const maxDocument = 256 << 20

// GetObject returns the JSON object at path.
func (p *Protocol) GetObject(ctx context.Context, e Endpoint, path, query string) ([]byte, error) {
	return p.object(ctx, e, func(c *call) (*http.Response, error) { return c.get(path, query) })
}

// PostObject sends u once and returns the JSON object that comes back. The time limit is
// raised by one second per 100 KiB.
func (p *Protocol) PostObject(ctx context.Context, e Endpoint, path string, u Upload) ([]byte, error) {
	if e.Total > 0 {
		e.Total += time.Duration(u.Size/(100<<10)) * time.Second
	}
	return p.object(ctx, e, func(c *call) (*http.Response, error) {
		c.maxBytes = cmp.Or(u.MaxReply, maxDocument)
		return c.upload(&request{path: path, once: true}, &u)
	})
}

// object sends one request and returns the JSON object that comes back.
func (p *Protocol) object(ctx context.Context, e Endpoint, send func(*call) (*http.Response, error)) ([]byte, error) {
	p.adapt(&e)
	e.Stream = false
	c := begin(ctx, &e)
	defer c.end()
	c.maxBytes = maxDocument
	res, err := send(c)
	if err != nil {
		return nil, c.networkFailure(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return nil, c.statusFailure(res)
	}
	doc, err := io.ReadAll(c.body(res))
	doc = bytes.TrimSpace(doc)
	switch {
	case err != nil:
		err = c.networkFailure(verbatim.Cut, err, "")
	case len(doc) > 0 && doc[0] == '{' && rawjson.Valid(doc):
		return doc, nil
	case breaksOff(doc) || len(doc) == 0:
		err = c.replyFailure(cutError{"the JSON of the reply breaks off"}, &partialReply{}, p)
	case doc[0] == '<':
		err = c.replyFailure(readError(doc, e.Key), &partialReply{}, p)
	default:
		err = c.replyFailure(cannotRead("the reply is no JSON object", doc, e.Key), &partialReply{}, p)
	}
	return nil, err
}

// EachLine reads the document at path, which has a JSON object on each line and may be long. It
// calls f for each line that is not empty, until f returns false or an error. The line is nil if it is
// no JSON object, and raw is its text. The idle limit applies, the time limit of a reply does not.
func (p *Protocol) EachLine(ctx context.Context, e Endpoint, path string, f func(line, raw []byte) (bool, error)) error {
	p.adapt(&e)
	e.Stream, e.Total = true, 0
	c := begin(ctx, &e)
	defer c.end()
	c.maxBytes = math.MaxInt64
	res, err := c.get(path, "")
	if err != nil {
		return c.networkFailure(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return c.statusFailure(res)
	}
	lines := lineReader{in: bufio.NewReaderSize(c.body(res), 64<<10), check: func(n int) error {
		c.touch()
		if n > maxBody {
			return tooLongError(maxBody)
		}
		return nil
	}}
	for {
		data, err := lines.next()
		c.touch()
		switch {
		case err != nil && err != io.EOF:
			return c.networkFailure(verbatim.Cut, err, "")
		case len(data) == 0:
		case err == io.EOF && breaksOff(data):
			return c.replyFailure(cutError{"the last line of the batch's results breaks off"}, &partialReply{}, p)
		default:
			line := data
			if data[0] != '{' || !rawjson.Valid(data) {
				line = nil
			}
			if more, err := f(line, data); err != nil || !more {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// RequestBody returns the body of the request that Send would send for a reply in one
// piece.
func (p *Protocol) RequestBody(e Endpoint, prompt verbatim.Prompt, maxTokens int, params verbatim.Params) ([]byte, error) {
	p.adapt(&e)
	e.Stream = false
	r, err := p.write(e, prompt, maxTokens, params)
	return r.body, err
}

// A Result is the result of one request of a batch.
type Result struct {
	Status    int    // the HTTP status of the request; 0: the batch does not name it
	RequestID string // the provider's
	Reply     []byte // the JSON document of the reply; nil: none
	Error     []byte // the JSON of the error that is there instead
}

// ReadResult returns what Send would have returned for a request of a batch. The reply and
// the attempt have no times and no record of what was sent.
func (p *Protocol) ReadResult(e Endpoint, r Result) (verbatim.Reply, error) {
	p.adapt(&e)
	c := &call{e: e, status: r.Status, bytes: int64(len(r.Reply) + len(r.Error)), header: http.Header{}}
	if r.RequestID != "" {
		c.header.Set("X-Request-Id", r.RequestID)
	}
	if r.Reply == nil || r.Status >= 300 {
		return verbatim.Reply{}, c.serverFailure(r.Status, parseError(r.failure(), e.Key, ofBody), "")
	}
	a := partialReply{key: e.Key, clock: func() *time.Duration { return nil }, touch: func() {}}
	to := p.reader(&a)
	var err error = unreadableError{"the reply is no object"}
	if r.Reply[0] == '{' || r.Reply[0] == '[' {
		err = to.document(r.Reply)
	}
	if err == nil {
		err = a.check(&e, to)
	}
	if err != nil {
		return verbatim.Reply{}, c.replyFailure(err, &a, p)
	}
	var reply verbatim.Reply
	c.writeReply(&reply, &a, p, nil)
	return reply, nil
}

// failure returns the JSON of the error.
func (r Result) failure() json.RawMessage {
	switch {
	case rawjson.IsSet(r.Error):
		return r.Error
	case rawjson.IsSet(r.Reply):
		return r.Reply
	}
	return json.RawMessage(`{"message":"the batch gives neither a reply nor a reason"}`)
}
