package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"verbatim"
)

// attempt returns the record of the call.
func (c *call) attempt() verbatim.Attempt {
	a := verbatim.Attempt{Start: c.start, Status: c.status, Bytes: c.bytes, RequestID: requestID(c.header)}
	if !c.start.IsZero() { // a line of a batch has no time of its own
		a.Total = time.Since(c.start)
	}
	return a
}

// Failure returns f with the name of the endpoint and one attempt, for errors that come from
// no request.
func (e Endpoint) Failure(f verbatim.Failure) error { return (&call{e: e}).failure(f, "") }

// failure returns f with the status, the endpoint and the attempts of the call. partial is the
// text of the reply that has arrived.
func (c *call) failure(f verbatim.Failure, partial string) error {
	f.Status = c.status
	f.Who = c.e.Who()
	if after := retryAfterHeader(c.header, time.Now()); after > 0 {
		f.After = after // the header overrides the body
	}
	a := c.attempt()
	a.Class, a.Partial = f.Class, HeadAndTail(partial)
	if f.Err != nil {
		a.Err, a.Upstream = f.Err.Error(), c.failedUpstream(f.Err)
	}
	f.Attempts = append(c.resent, a)
	return &f
}

// networkFailure returns the failure of reading or writing. If a time limit or the caller
// ended the call, that is the reason, and not the broken connection that resulted.
func (c *call) networkFailure(class verbatim.Class, err error, partial string) error {
	cause := context.Cause(c.ctx)
	var limit limitError
	var tooLong tooLongError
	var tooLarge TooLarge
	var unreadable unreadableError
	switch {
	case errors.As(cause, &limit):
		return c.failure(verbatim.Failure{Class: verbatim.Deadline, Err: limit,
			Hint: "raise the time limit, lower --concurrency, or check whether the server is stuck"}, partial)
	case c.parent.Err() != nil:
		return c.failure(verbatim.Failure{Class: verbatim.Deadline, Err: c.parent.Err()}, partial)
	case errors.As(err, &tooLong), errors.As(err, &tooLarge), errors.As(err, &unreadable):
		return c.failure(verbatim.Failure{Class: verbatim.Content, Err: err}, partial)
	}
	class, hint, text := classifyNetworkError(class, err, c.e)
	return c.failure(verbatim.Failure{Class: class, Err: text, Hint: hint}, partial)
}

// statusFailure returns the failure of a response whose status is not 2xx.
func (c *call) statusFailure(res *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(c.body(res), 64<<10))
	var unreadable unreadableError // its encoding is unknown: the status has to do
	if err != nil && len(body) == 0 && !errors.As(err, &unreadable) {
		return c.networkFailure(verbatim.Transport, err, "")
	}
	s := readError(body, c.e.Key)
	if to := res.Header.Get("Location"); to != "" && res.StatusCode/100 == 3 {
		s = &serverError{message: "it points to " + CleanLine(c.e.Key.Hide(to), maxMessage)}
	}
	if len(body) == 0 && s.message == "" {
		s.message = http.StatusText(res.StatusCode)
	}
	return c.serverFailure(res.StatusCode, s, "")
}

// serverFailure returns the failure that a server reports with a status, or with 0 if it
// names none. partial is as in failure.
func (c *call) serverFailure(status int, s *serverError, partial string) error {
	class := classify(status, s)
	return c.failure(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: hintFor(class, status, s, c.e)}, partial)
}

// replyFailure returns the failure of a reply that began with a status of success.
func (c *call) replyFailure(err error, a *partialReply, p *Protocol) error {
	partial := string(a.text)
	var s *serverError
	var unreadable unreadableError
	var cut cutError
	switch {
	case errors.As(err, &s):
		return c.serverFailure(s.status(), s, partial)
	case errors.As(err, &unreadable):
		return c.failure(verbatim.Failure{Class: verbatim.Content, Err: err,
			Hint: "the endpoint does not follow the protocol: " + p.Title}, partial)
	case errors.As(err, &cut):
		return c.failure(verbatim.Failure{Class: verbatim.Cut, Err: err, Hint: cut.hint(c.bytes)}, partial)
	}
	// Once a server has begun to reply, whatever ends it early is a cut.
	return c.networkFailure(verbatim.Cut, err, partial)
}
