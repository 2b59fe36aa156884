package redact

import (
	"net/url"
	"slices"
	"strings"
)

const (
	// longSecret is the length from which a secret is removed from answers too.
	longSecret = 16
	// shortSecret is the length from which a secret is removed from other texts. Shorter
	// values are words such as "none".
	shortSecret = 8
)

// A secret is a value and the name that replaces it.
type secret struct{ name, value string }

// A Secrets is a list of secrets. Each has the first name under which it was added.
type Secrets struct{ all []secret }

// Add adds a secret. One that is shorter than shortSecret and a placeholder are ignored.
func (s *Secrets) Add(name, value string) {
	value = strings.TrimSpace(value)
	if len(value) < shortSecret || isPlaceholder(value) || slices.ContainsFunc(s.all, func(o secret) bool { return o.value == value }) {
		return
	}
	s.all = append(s.all, secret{name, value})
}

// AddAddress adds the password and the values of the query of an address. An address that cannot be
// parsed is added as a whole.
func (s *Secrets) AddAddress(name, address string) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	if err != nil {
		s.Add(name, address)
		return
	}
	if password, ok := u.User.Password(); ok {
		s.Add(name, password)
	} else if u.User != nil {
		s.Add(name, u.User.Username()) // which may be a key
	}
	for key, values := range u.Query() {
		if publicQuery[strings.ToLower(key)] {
			continue
		}
		for _, v := range values {
			s.Add(name, v)
		}
	}
}

// publicQuery has the parameters of addresses that are no secrets.
var publicQuery = map[string]bool{"api-version": true, "api_version": true, "version": true, "alt": true, "model": true, "deployment": true, "engine": true,
	"region": true, "location": true, "project": true, "stream": true, "format": true}

// AddVariable adds the value of a variable: the secret parts of an address, or the whole of any other
// value.
func (s *Secrets) AddVariable(name, value string) {
	if u, err := url.Parse(strings.TrimSpace(value)); err == nil && u.Scheme != "" && u.Host != "" {
		s.AddAddress(name, value)
		return
	}
	s.Add(name, value)
}
