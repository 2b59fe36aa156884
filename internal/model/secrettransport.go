package model

import (
	"net/http"
)

// A secretTransport adds secret headers to requests.
type secretTransport struct {
	next    http.RoundTripper
	headers []secretHeader
}

// RoundTrip implements http.RoundTripper.
func (c secretTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, s := range c.headers {
		r.Header.Set(s.Name, s.Value())
	}
	return c.next.RoundTrip(r)
}
