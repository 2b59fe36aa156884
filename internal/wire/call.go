package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"verbatim"
	"verbatim/internal/memory"
	"verbatim/internal/rawjson"
	"verbatim/internal/upstream"
)

// A call is one attempt at one request: its limits, and what is known of the response.
type call struct {
	e      Endpoint
	parent context.Context
	ctx    context.Context // ends with the parent and with a time limit
	stop   context.CancelCauseFunc
	total  *time.Timer // nil: no time limit
	idle   *time.Timer // nil: no idle limit

	start     time.Time
	firstByte *time.Duration // when the body began
	status    int
	header    http.Header
	bytes     int64              // received of the body
	resent    []verbatim.Attempt // attempts on connections that were closed
	maxBytes  int64              // limit on the bytes of the body
	size      SizeLimit          // limit on the reply
	content   limitedContent     // limit on the text of a stream
	reserved  memory.Reservation // memory for the reply
	textBytes int64              // memory that text, reasoning and log probabilities take
	wantsCall bool               // the reply is to call the one tool
	// partial gets the reply so far; nil: nobody does.
	partial func(text, reasoning []byte)
	params  *appliedParams // of the reply; nil before the response's body is read
}

// A limitError is the error of a time limit that was reached.
type limitError struct{ what string }

func (l limitError) Error() string { return l.what }

// A tooLongError is the error of a body that is longer than this number of bytes.
type tooLongError int64

func (n tooLongError) Error() string { return fmt.Sprintf("the reply is longer than %d MiB", n>>20) }

// setTokenLimit sets the size limits that follow from the token limit and from the number of
// alternatives for each token.
func (c *call) setTokenLimit(tokens, alternatives int) {
	c.size = NewSizeLimit(tokens, alternatives, c.e.MaxReply)
	c.maxBytes = c.size.Body()
	c.reserved = c.e.Memory.Reserve()
}

// begin starts the clock and the time limits. The caller must end the call.
func begin(ctx context.Context, e *Endpoint) *call {
	c := &call{e: *e, parent: ctx, start: time.Now(), maxBytes: maxBody, partial: verbatim.Partial(ctx)}
	c.ctx, c.stop = context.WithCancelCause(ctx)
	if e.Total > 0 {
		c.total = time.AfterFunc(e.Total, func() {
			c.stop(limitError{fmt.Sprintf("no whole reply within %v", e.Total)})
		})
	}
	if e.Stream && e.Idle > 0 {
		c.idle = time.AfterFunc(e.Idle, func() {
			c.stop(limitError{fmt.Sprintf("nothing new arrived for %v", e.Idle)})
		})
	}
	return c
}

// end releases memory and timers.
func (c *call) end() {
	c.reserved.Release()
	for _, t := range []*time.Timer{c.total, c.idle} {
		if t != nil {
			t.Stop()
		}
	}
	c.stop(nil)
}

// touch restarts the idle limit: something new arrived.
func (c *call) touch() {
	if c.idle != nil {
		c.idle.Reset(c.e.Idle)
	}
}

// reserve raises the memory that is reserved for the reply to n bytes. It may wait for other
// replies.
func (c *call) reserve(n int64) error {
	if c.reserved.Has(n) {
		return nil
	}
	if c.idle != nil {
		c.idle.Stop() // the server is not silent: this program does not read
		defer c.touch()
	}
	return c.reserved.Grow(c.ctx, n)
}

// checkDocument checks the size of a document or an event that is being received.
func (c *call) checkDocument(n int) error {
	if limit := c.size.Document(); int64(n) > limit {
		return TooLarge{MaxBytes: limit, Limit: c.size}
	}
	return c.reserve(3*int64(n) + c.textBytes)
}

// reasoningPlaces is the greatest number of places in which a protocol may have reasoning.
const reasoningPlaces = 4

// checkText checks the size of the text and of all reasoning so far, and reserves memory for
// them and for the log probabilities. All sizes are in bytes.
func (c *call) checkText(content, reasoning, logprobs int) error {
	if int64(content) > c.size.Text || int64(reasoning) > reasoningPlaces*c.size.Text {
		return TooLarge{MaxBytes: c.size.Text, Limit: c.size}
	}
	c.textBytes = 2*int64(content+reasoning) + int64(logprobs)
	return c.reserve(c.textBytes)
}

// appliedParams are the parameters that a server reports as applied, and the server that a
// router reports behind itself.
type appliedParams struct {
	applied      []byte   // members of a JSON object, joined by commas
	appliedNames []string // the names of these members
}

// addApplied adds a parameter that the server reports as applied. Each event may repeat it: the
// first one counts.
func (a *appliedParams) addApplied(name string, raw json.RawMessage) {
	if !rawjson.IsSet(raw) || len(a.applied)+len(raw) > 4<<10 || slices.Contains(a.appliedNames, name) {
		return
	}
	a.appliedNames = append(a.appliedNames, name)
	if len(a.applied) > 0 {
		a.applied = append(a.applied, ',')
	}
	a.applied = rawjson.AppendString(a.applied, name)
	a.applied = append(a.applied, ':')
	a.applied = append(a.applied, raw...)
}

// since returns the time since the start, for the stamps of verbatim.Times.
func (c *call) since() *time.Duration { return new(time.Since(c.start)) }

// staleWithin is how soon after the request a reused connection fails that the server had
// closed before. After a later failure the server may have worked at the request.
const staleWithin = 5 * time.Second

// post sends a request.
//
// Some servers close the connection after each stream without announcing it, and all
// servers close idle ones. Package httpconn checks a connection before it uses it again.
// One that is closed at the same moment fails before the first byte of a response, though
// nothing is wrong. Such a request is sent again on another connection, and both attempts
// are recorded. The server may have read the first one, so both may be billed:
// verbatim.MayResend decides, unless the first was not written whole. net/http does this
// by itself only for requests that it may repeat. Closing each connection after a stream
// instead would add the connection time to each time to the first word.
func (c *call) post(r *request) (*http.Response, error) {
	return c.upload(r, &Upload{
		MediaType: "application/json",
		Size:      int64(len(r.body)),
		Open:      func() io.ReadCloser { return io.NopCloser(bytes.NewReader(r.body)) },
	})
}

// A request is a POST request as a protocol writes it.
type request struct {
	path  string
	query string // added to that of the base URL: "alt=sse"
	sent  []byte // the body without the prompt, a JSON object
	body  []byte
	once  bool // it is never sent again: a second one could create a second batch
}

// An Upload is a body to send. It may be opened several times.
type Upload struct {
	MediaType string
	Size      int64
	MaxReply  int64 // limit on the bytes of the response; 0: maxDocument
	Open      func() io.ReadCloser
}

// upload is post with a body that may be large.
func (c *call) upload(r *request, p *Upload) (*http.Response, error) {
	sent := time.Now()
	res, how, err := c.attemptUpload(r, p, false)
	if err == nil || how == noResend || r.once || how == maybeSent && !verbatim.MayResend(c.ctx) {
		return res, err
	}
	c.noteResend(sent)
	res, _, err = c.attemptUpload(r, p, true)
	return res, err
}

// noteResend records the attempt of a request that is sent again.
func (c *call) noteResend(sent time.Time) {
	c.resent = append(c.resent, verbatim.Attempt{Start: sent, Total: time.Since(sent), Class: verbatim.Transport,
		Err: "the server closed an idle connection: sent again on another"})
}

// attemptUpload sends a request once; fresh requires a new connection.
func (c *call) attemptUpload(r *request, p *Upload, fresh bool) (*http.Response, delivery, error) {
	req, err := c.newRequest(r, p, fresh)
	if err != nil {
		return nil, noResend, badURL{err}
	}
	return c.send(req)
}

// newRequest returns the HTTP request that attemptUpload sends.
//
//go:noinline
func (c *call) newRequest(r *request, p *Upload, fresh bool) (*http.Request, error) {
	req, err := c.e.request(http.MethodPost, r.path)
	if err != nil {
		return nil, err
	}
	req.URL.RawQuery = joinQuery(req.URL.RawQuery, r.query)
	req.Header.Set("Content-Type", p.MediaType)
	if c.e.Stream {
		req.Header.Set("Accept", "text/event-stream, application/json")
	}
	req.Close = fresh
	req.ContentLength = p.Size
	if !netHTTPResends(req.Header) {
		req.GetBody = func() (io.ReadCloser, error) { return p.Open(), nil }
	}
	req.Body = p.Open()
	return req, nil
}

// badURL is the error of a base URL that no request can be sent to.
type badURL struct{ error }

// netHTTPResends reports whether net/http would send a request with these headers again by
// itself, though the server may have read the first.
func netHTTPResends(h http.Header) bool {
	return h["Idempotency-Key"] != nil || h["X-Idempotency-Key"] != nil
}

// A delivery says whether a request that failed may be sent again.
type delivery int

const (
	noResend  delivery = iota // no: the connection was new, or the failure is of another kind
	maybeSent                 // a reused connection was closed: the server may have the request
	notSent                   // the same, but not all was written: the server has no whole request
)

// send sends req once. Redirects are not followed: they would carry the key to another
// host.
func (c *call) send(req *http.Request) (res *http.Response, how delivery, err error) {
	var reused, answered, broke atomic.Bool
	sent := time.Now()
	ctx := httptrace.WithClientTrace(c.ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			reused.Store(i.Reused)
			answered.Store(false)
			broke.Store(false)
		},
		WroteRequest:         func(i httptrace.WroteRequestInfo) { broke.Store(i.Err != nil) },
		GotFirstResponseByte: func() { answered.Store(true) },
	})
	transport := c.e.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	res, err = transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		switch {
		case !reused.Load() || answered.Load() || c.ctx.Err() != nil || time.Since(sent) >= staleWithin:
			return nil, noResend, err
		case broke.Load():
			return nil, notSent, err
		}
		return nil, maybeSent, err
	}
	c.status, c.header = res.StatusCode, res.Header
	return res, noResend, nil
}

// body returns a reader of the response's body, decompressed. It counts the bytes, takes the
// time of the first one and enforces the limit.
func (c *call) body(res *http.Response) io.Reader { return &bodyReader{c, decode(res)} }

type bodyReader struct {
	c *call
	r io.Reader
}

func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if n > 0 && b.c.firstByte == nil {
		b.c.firstByte = b.c.since()
	}
	b.c.bytes += int64(n)
	if b.c.bytes > b.c.maxBytes {
		return n, tooLongError(b.c.maxBytes)
	}
	return n, err
}

// drain reads what follows the end marker, for a short time, so that the connection can be
// used again. It reports whether the body broke off.
func (c *call) drain(r io.Reader) bool {
	t := time.AfterFunc(200*time.Millisecond, func() { c.stop(nil) })
	defer t.Stop()
	_, err := io.CopyN(io.Discard, r, 64<<10)
	return err != nil && err != io.EOF && c.ctx.Err() == nil
}

// A SizeLimit is the limit on the bytes of one reply, from a server or from a command.
type SizeLimit struct {
	Tokens int   // the token limit; 0: none
	Text   int64 // bytes of the text; reasoning may have as many in each of its places
	// Logprobs is the bytes of JSON that log probabilities may take; 0: none are requested.
	Logprobs int64
}

const (
	bytesPerToken = 32
	minText       = 1 << 20
	// bytesPerLogprob is a bound for one alternative: its token, bytes, number and id.
	bytesPerLogprob = 256
	// unboundedText is the limit of a reply without a token limit.
	unboundedText = 16 << 20
)

// maxBody is the limit in bytes on the body of a response that is no reply. The limit on the
// body of a reply is at least as high: a stream takes several hundred bytes for a word.
const maxBody = 64 << 20

// NewSizeLimit returns the limit of a reply with a token limit, 0 for none, and a number of
// alternatives for each token. Its text may have atLeast bytes, whatever the token limit.
func NewSizeLimit(tokens, alternatives int, atLeast int64) SizeLimit {
	s := SizeLimit{Tokens: max(0, tokens), Text: unboundedText}
	if tokens > 0 {
		s.Text = max(minText, int64(tokens)*bytesPerToken+64<<10)
	}
	s.Text = max(s.Text, atLeast)
	if alternatives > 0 {
		s.Logprobs = unboundedText
		if tokens > 0 {
			s.Logprobs = minText + int64(tokens)*int64(alternatives+1)*bytesPerLogprob
		}
	}
	return s
}

// Document returns the limit on the bytes of a document or of one event of a stream, which are
// in memory before they are read. JSON may take six bytes for one byte of text.
func (s SizeLimit) Document() int64 { return 6*s.Text + 1<<20 + s.Logprobs }

// Body returns the limit on all bytes received. A stream takes several hundred bytes for a
// token, but is not in memory as a whole.
func (s SizeLimit) Body() int64 { return max(maxBody, 64*s.Text) + s.Logprobs }

// TooLarge is the error of a reply that is larger than its limit.
type TooLarge struct {
	MaxBytes int64
	Limit    SizeLimit
}

// Error returns the limit, what it follows from, and the flag that raises it.
func (e TooLarge) Error() string {
	limit := "the limit of a reply without a token limit"
	if e.Limit.Tokens > 0 {
		limit = fmt.Sprintf("the limit for %d tokens", e.Limit.Tokens)
	}
	return fmt.Sprintf("reply larger than %d bytes, %s; --max-reply raises it", e.MaxBytes, limit)
}

// requestID returns the id by which the provider can find the request, "" for none.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Generation-Id"} {
		if v := h.Get(name); v != "" {
			return CleanLine(v, maxValue)
		}
	}
	return ""
}

// addUpstream adds the headers in which a router names the server behind it: Hugging Face's
// router, LiteLLM, Bifrost, and Portkey, which names an index in its configuration.
func (c *call) addUpstream(a *appliedParams) {
	for _, name := range [...]string{"X-Inference-Provider", "X-Litellm-Model-Id", "X-Litellm-Model-Api-Base", "X-Bifrost-Provider", "X-Portkey-Last-Used-Option-Index"} {
		if v := c.header.Get(name); v != "" {
			a.addApplied(strings.ToLower(name), rawjson.AppendString(nil, CleanLine(c.e.Key.Hide(v), maxValue)))
		}
	}
}

// failedUpstream returns the server behind a router that failed. The error names it, otherwise
// the events or the headers of the response.
func (c *call) failedUpstream(err error) string {
	var s *serverError
	if errors.As(err, &s) && s.upstream != "" {
		return s.upstream
	}
	a := c.params
	if a == nil {
		a = new(appliedParams)
	}
	c.addUpstream(a)
	return CleanLine(c.e.Key.Hide(upstream.Of("{"+string(a.applied)+"}")), maxValue)
}

// rateLimits returns the rate-limit headers, at most 32, under lower-case names; nil for none.
func rateLimits(h http.Header) map[string]string {
	var m map[string]string
	for name, values := range h {
		// net/http writes names in this form.
		isLimit := strings.HasPrefix(name, "X-Ratelimit-") || strings.HasPrefix(name, "Ratelimit") ||
			strings.HasPrefix(name, "Anthropic-Ratelimit-")
		if !isLimit || len(values) == 0 || len(m) == 32 {
			continue
		}
		if m == nil {
			m = map[string]string{}
		}
		m[CleanLine(strings.ToLower(name), maxValue)] = CleanLine(values[0], maxValue)
	}
	return m
}
