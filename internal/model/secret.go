package model

import "net/http"

// An envSecret is a secret and the variable that holds it.
type envSecret struct {
	env   string
	value func() string // a function, because reflection prints strings
}

// A secretHeader is a header whose value comes from the environment. It is kept
// apart from the endpoint, which may be shown.
type secretHeader struct {
	name, env string
	value     func() string // a function, because reflection prints strings
}

// A secretCarrier adds secret headers to requests on their way.
type secretCarrier struct {
	carrier http.RoundTripper
	secrets []secretHeader
}

// RoundTrip implements http.RoundTripper.
func (c secretCarrier) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, s := range c.secrets {
		r.Header.Set(s.name, s.value())
	}
	return c.carrier.RoundTrip(r)
}
