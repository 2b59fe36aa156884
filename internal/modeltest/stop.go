package modeltest

import (
	"io"
	"net/http"
)

// StopAfter returns a transport that calls stop once this many events of a stream have
// been read, and reads on. So an answer is cut in its middle whatever the speed of the
// server, which no time limit can promise. Events are what blank lines end.
func StopAfter(rt http.RoundTripper, events int, stop func()) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		res, err := rt.RoundTrip(r)
		if err == nil {
			res.Body = &stopping{ReadCloser: res.Body, left: events, stop: stop}
		}
		return res, err
	})
}

// stopping is a body that counts the events that are left until it stops.
type stopping struct {
	io.ReadCloser
	last byte
	left int
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
