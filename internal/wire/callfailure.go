package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"verbatim"
)

// attempt describes the try for the record.
func (c *call) attempt() verbatim.Attempt {
	a := verbatim.Attempt{Start: c.start, Status: c.status, Bytes: c.bytes, RequestID: requestID(c.header)}
	if !c.start.IsZero() { // a line of a batch has no time of its own
		a.Total = time.Since(c.start)
	}
	return a
}

// Failure returns f with the name of the endpoint and one attempt, for errors that no
// request has.
func (e Endpoint) Failure(f verbatim.Failure) error {
	c := &call{e: e}
	return c.fail(f, "")
}

// fail completes a failure with what the call knows. partial is what had arrived
// of the answer's text.
func (c *call) fail(f verbatim.Failure, partial string) error {
	f.Status = c.status
	f.Who = c.e.Who()
	if after := retryAfter(c.header, time.Now()); after > 0 {
		f.After = after // else what the body said
	}
	a := c.attempt()
	a.Class, a.Partial = f.Class, shortened(partial)
	if f.Err != nil {
		a.Err = f.Err.Error()
	}
	f.Attempts = append(c.resent, a)
	return &f
}

// lost completes the failure of reading or writing. Where it was our doing, our
// limit or the caller's wish is the reason, and not the broken connection that
// came of it.
func (c *call) lost(class verbatim.Class, err error, partial string) error {
	cause := context.Cause(c.ctx)
	var limit limitError
	var tooLong tooLongError
	var tooLarge tooLargeError
	var unreadable unreadableError
	switch {
	case errors.As(cause, &limit):
		return c.fail(verbatim.Failure{Class: verbatim.Deadline, Err: limit,
			Hint: "allow more time, ask fewer requests at once, or look whether the server is stuck"}, partial)
	case c.parent.Err() != nil:
		return c.fail(verbatim.Failure{Class: verbatim.Deadline, Err: c.parent.Err()}, partial)
	case errors.As(err, &tooLong), errors.As(err, &tooLarge), errors.As(err, &unreadable):
		return c.fail(verbatim.Failure{Class: verbatim.Content, Err: err}, partial)
	}
	class, hint, text := explain(class, err, c.e)
	return c.fail(verbatim.Failure{Class: class, Err: text, Hint: hint}, partial)
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
		s = &serverError{message: "it points to " + Clean(c.e.Key.Hide(to), longestMessage)}
	}
	if len(body) == 0 && s.message == "" {
		s.message = http.StatusText(res.StatusCode)
	}
	class := classify(res.StatusCode, s)
	return c.fail(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: advise(class, res.StatusCode, s, c.e)}, "")
}

// spoiled makes a failure of an answer that began with a status of success.
func (c *call) spoiled(err error, a *answer, p *Protocol) error {
	partial := string(a.text)
	var s *serverError
	var unreadable unreadableError
	var cut cutError
	switch {
	case errors.As(err, &s):
		class := classify(s.status(), s)
		return c.fail(verbatim.Failure{Class: class, Err: s, After: s.after, Hint: advise(class, s.status(), s, c.e)}, partial)
	case errors.As(err, &unreadable):
		return c.fail(verbatim.Failure{Class: verbatim.Content, Err: err,
			Hint: "the endpoint does not speak " + p.Title + " as it should"}, partial)
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
