package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// For returns the batch API for a protocol, nil without one.
func For(protocol string) *API {
	for _, a := range []*API{openAIChat(), openAIResponses(), Anthropic(), Gemini()} {
		if a.protocol.Name == protocol {
			return a
		}
	}
	return nil
}

// An API is a provider's batch API. All methods are safe for concurrent use. Their errors
// are of type *verbatim.Failure if a request was sent.
type API struct {
	protocol    *wire.Protocol
	maxRequests int   // in one batch
	maxBytes    int64 // of one batch

	// frame returns the text around the requests.
	frame func(key string) frame
	// line appends a request to a batch.
	line func(dst []byte, key, id string, body []byte) []byte

	submit  func(ctx context.Context, c client, key string, requests wire.Upload) (string, error)
	find    func(ctx context.Context, c client, key string) (string, error)
	collect func(ctx context.Context, c client, id string, got *results) (verbatim.BatchState, error)
}

// results takes the results of a batch, one after the other.
type results struct {
	client
	id      string
	each    func(seq int64, reply verbatim.Reply, err error) error
	all     int64  // their number
	foreign int64  // as verbatim.BatchState.Foreign
	first   string // as FirstForeign
}

// take passes on the result of the request with that name. If there is no such request, it passes
// over the result: file and line say where it is, raw is what it says.
func (r *results) take(file string, line int64, name string, result wire.Result, raw []byte) error {
	r.all++
	digits, isName := strings.CutPrefix(name, "s")
	seq, err := strconv.ParseInt(digits, 10, 64)
	if isName && err == nil {
		reply, failure := r.read(r.id, result)
		if err := r.each(seq, reply, failure); !errors.Is(err, verbatim.ErrForeign) {
			return err
		}
	}
	if name != "" {
		raw = []byte(name)
	}
	if r.foreign++; r.foreign == 1 {
		// The key is removed before the text is shortened: a part of it would not be found.
		r.first = fmt.Sprintf("line %d of %s: %s", line, file, wire.CleanLine(r.e.Key.Hide(string(raw)), 80))
	}
	return nil
}

// A frame is the text before, between and after the requests of a batch.
type frame struct{ mediaType, head, between, tail string }

// Fits returns how many of the requests, from the first, fit into one batch, by number and
// by bytes. It stops before a request that cannot be sent. The error says why the first request
// cannot be sent, or that it alone is too large.
func (a *API) Fits(e wire.Endpoint, requests []verbatim.Request) (int, error) {
	around := a.frame(strings.Repeat("k", 64))
	total := int64(len(around.head) + len(around.tail))
	var line []byte
	for i, r := range requests {
		var err error
		if line, err = a.append(line[:0], e, "k", &r); err == nil {
			total += int64(len(line) + len(around.between))
			if total > a.maxBytes {
				err = fmt.Errorf("request %s has %d bytes; one batch may have %d in all", nameOf(&r), len(line), a.maxBytes)
			}
		}
		switch {
		case err != nil && i == 0:
			return 0, err
		case err != nil || i == a.maxRequests:
			return i, nil
		}
	}
	return len(requests), nil
}

// append appends one request in the form of the batch.
func (a *API) append(dst []byte, e wire.Endpoint, key string, r *verbatim.Request) ([]byte, error) {
	body, err := a.protocol.RequestBody(e, r.Prompt, r.MaxTokens, r.Params)
	if err != nil {
		return dst, err
	}
	return a.line(dst, key, nameOf(r), body), nil
}

// nameOf returns the name of a request in its batch: "s" and its position in the plan.
func nameOf(r *verbatim.Request) string { return "s" + strconv.FormatInt(r.Seq, 10) }

// isWord reports whether s is not empty and has only the characters of ids.
func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return s != ""
}

// checkKey returns an error for a key that some provider does not accept.
func checkKey(key string) error {
	if !isWord(key) || len(key) > 64 {
		return fmt.Errorf("the key %q cannot name a batch: use 1 to 64 of A–Z, a–z, 0–9, _ and -", wire.CleanLine(key, 80))
	}
	return nil
}

// Submit sends the requests as one batch and returns the provider's id of it. If it fails
// after something was sent, Find tells whether the batch exists.
func (a *API) Submit(ctx context.Context, e wire.Endpoint, key string, requests []verbatim.Request) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	around := a.frame(key)
	open := func() io.ReadCloser {
		return io.NopCloser(&body{api: a, e: e, key: key, requests: requests, frame: around})
	}
	size, err := io.Copy(io.Discard, open())
	switch {
	case err != nil:
		return "", err
	case len(requests) == 0:
		return "", errors.New("a batch needs a request")
	case len(requests) > a.maxRequests || size > a.maxBytes:
		return "", fmt.Errorf("%d requests with %d bytes are too many for one batch of at most %d with %d: call Fits first", len(requests), size, a.maxRequests, a.maxBytes)
	}
	return a.submit(ctx, client{a, e}, key, wire.Upload{MediaType: around.mediaType, Size: size, Open: open})
}

// Find returns the id of the batch that was submitted under key, "" if the provider has
// none. An error means that this is unknown.
func (a *API) Find(ctx context.Context, e wire.Endpoint, key string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	return a.find(ctx, client{a, e}, key)
}

// Collect returns the state of a batch. If the batch has ended, Collect calls each for every
// request with a result, in any order, with its Seq and a reply or a *verbatim.Failure that has one
// attempt. Results that cannot be read or that belong to no request are passed over and counted in the
// state. Replies and attempts have no numbers and times, and no record of what was sent. An error of
// each other than verbatim.ErrForeign ends the collection and is returned. Incomplete results are an
// error, after the calls of each for those that are there.
//
// If a batch failed as a whole, the state's Raw says why, as far as the provider does.
func (a *API) Collect(ctx context.Context, e wire.Endpoint, id string, each func(seq int64, reply verbatim.Reply, err error) error) (verbatim.BatchState, error) {
	if !isWord(strings.ReplaceAll(id, "/", "")) {
		return verbatim.BatchState{}, fmt.Errorf("%q is no id of a batch", wire.CleanLine(id, 80))
	}
	got := &results{client: client{a, e}, id: id, each: each}
	state, err := a.collect(ctx, got.client, id, got)
	state.Foreign, state.FirstForeign = got.foreign, got.first
	return state, err
}

// A body writes the requests of a batch one after the other, so that they need not be in
// memory together.
type body struct {
	api      *API
	e        wire.Endpoint
	key      string
	requests []verbatim.Request
	frame    frame
	next     int    // what buf will have next: 0: the head, then the requests, then the tail
	buf      []byte // the current part
	rest     []byte // the end of buf that was not read yet
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		b.buf = b.buf[:0]
		switch n := b.next; {
		case n == 0:
			b.buf = append(b.buf, b.frame.head...)
		case n <= len(b.requests):
			if n > 1 {
				b.buf = append(b.buf, b.frame.between...)
			}
			var err error
			if b.buf, err = b.api.append(b.buf, b.e, b.key, &b.requests[n-1]); err != nil {
				return 0, fmt.Errorf("request %d of the batch: %w", n, err)
			}
		case n == len(b.requests)+1:
			b.buf = append(b.buf, b.frame.tail...)
		default:
			return 0, io.EOF
		}
		b.next++
		b.rest = b.buf
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// A client sends the requests of one API to one endpoint.
type client struct {
	*API
	e wire.Endpoint
}

func (c client) get(ctx context.Context, path, query string) ([]byte, error) {
	return c.protocol.GetObject(ctx, c.e, path, query)
}

func (c client) post(ctx context.Context, path string, u wire.Upload) ([]byte, error) {
	return c.protocol.PostObject(ctx, c.e, path, u)
}

func (c client) postJSON(ctx context.Context, path string, doc []byte) ([]byte, error) {
	return c.post(ctx, path, wire.Upload{MediaType: "application/json", Size: int64(len(doc)),
		Open: func() io.ReadCloser { return io.NopCloser(bytes.NewReader(doc)) }})
}

func (c client) lines(ctx context.Context, path string, f func(line, raw []byte) (bool, error)) error {
	return c.protocol.EachLine(ctx, c.e, path, f)
}

// read returns the reply, or the failure, of one request of batch id.
func (c client) read(id string, r wire.Result) (verbatim.Reply, error) {
	reply, err := c.protocol.ReadResult(c.e, r)
	if err == nil {
		reply.Batch = id
	}
	return reply, err
}

// batchID returns the id of a batch that was created.
func (c client) batchID(batch []byte, field string) (string, error) {
	id := wire.Word(rawjson.Member(batch, field))
	if !isWord(strings.ReplaceAll(id, "/", "")) {
		return "", c.malformed("the server made a batch but gave no id for it")
	}
	return id, nil
}

// incomplete returns the failure of a batch with fewer results than the provider counted.
func (c client) incomplete(got, want int64) error {
	return c.e.Failure(verbatim.Failure{Class: verbatim.Cut, Hint: "collect the batch again",
		Err: fmt.Errorf("the batch has %d results, but only %d arrived", want, got)})
}

// malformed returns the failure of a response that does not follow the API.
func (c client) malformed(what string) error {
	return c.e.Failure(verbatim.Failure{Class: verbatim.Content, Err: errors.New(c.e.Key.Hide(what)),
		Hint: "the endpoint does not follow the batch API"})
}

// maxPages is the greatest number of pages of a provider's list that Find reads.
const maxPages = 50

// tooManyPages returns the failure of a search that was given up.
func (c client) tooManyPages(pages int) error {
	return c.malformed(fmt.Sprintf("the batch is not on the first %d pages of the provider's list, and there are more: look for it at the provider", pages))
}

// count returns a number, 0 without one. Google's APIs write numbers as strings.
func count(raw []byte) int64 {
	n, _ := wire.ReadCount(bytes.Trim(raw, `"`))
	return n
}
