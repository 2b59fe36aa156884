package model

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"verbatim"
)

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

// shortestSecret is the length from which a value is looked for in the words of
// servers. Shorter ones are words such as "none".
const shortestSecret = 8

// hide removes the values of secret headers from what a server says.
func hide(s string, secrets []secretHeader) string {
	for _, h := range secrets {
		if v := h.value(); len(v) >= shortestSecret {
			s = strings.ReplaceAll(s, v, "["+h.env+"]")
		}
	}
	return s
}

// discreet returns err without the values of secret headers, which some servers
// repeat; the key itself is the wire's care.
func discreet(err error, secrets []secretHeader) error {
	var f *verbatim.Failure
	if len(secrets) == 0 || !errors.As(err, &f) {
		return err
	}
	clean := *f
	clean.Hint = hide(f.Hint, secrets)
	if f.Err != nil && hide(f.Err.Error(), secrets) != f.Err.Error() {
		clean.Err = errors.New(hide(f.Err.Error(), secrets))
	}
	clean.Attempts = slices.Clone(f.Attempts)
	for i := range clean.Attempts {
		clean.Attempts[i].Err = hide(clean.Attempts[i].Err, secrets)
	}
	return &clean
}
