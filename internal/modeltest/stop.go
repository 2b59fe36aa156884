package modeltest

import (
	"io"
	"net/http"
)

// StopAfter returns a transport that calls stop when this many events of a stream, which end with blank
// lines, have been read. So a reply is stopped in its middle whatever the speed of the server. A time
// limit cannot do that.
func StopAfter(rt http.RoundTripper, events int, stop func()) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		res, err := rt.RoundTrip(r)
		if err == nil {
			res.Body = &stopping{ReadCloser: res.Body, left: events, stop: stop}
		}
		return res, err
	})
}

// A stopping is a body that calls stop after a number of events.
type stopping struct {
	io.ReadCloser
	last byte // that was read
	left int  // the number of events before stop
	stop func()
}

func (s *stopping) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	for _, b := range p[:n] {
		if b == '\n' && s.last == '\n' {
			if s.left--; s.left == 0 {
				s.stop()
			}
		}
		s.last = b
	}
	return n, err
}
