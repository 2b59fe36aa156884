package redact

import (
	"net/url"
	"slices"
	"strings"
)

const (
	// longSecret is the length from which a value is looked for in answers.
	longSecret = 16
	// shortSecret is the length from which it is looked for in all else that a
	// server says. Shorter ones are words such as "none".
	shortSecret = 8
)

// A Secrets gathers secrets, each once, the first name first.
type Secrets struct{ all []secret }

// Add adds a value that is a secret.
func (s *Secrets) Add(name, value string) {
	value = strings.TrimSpace(value)
	if len(value) < shortSecret || isPlaceholder(value) || slices.ContainsFunc(s.all, func(o secret) bool { return o.value == value }) {
		return
	}
	s.all = append(s.all, secret{name, value})
}

// AddAddress adds the password and the query of an address. One that cannot be read
// is a secret as a whole.
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
		s.Add(name, u.User.Username()) // some put a key there
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

// publicQuery are the parameters of addresses that hold no secret.
var publicQuery = map[string]bool{"api-version": true, "api_version": true, "version": true, "alt": true, "model": true, "deployment": true, "engine": true,
	"region": true, "location": true, "project": true, "stream": true, "format": true}

// AddVariable adds the value of a variable: of an address its secret parts, otherwise
// all of it.
func (s *Secrets) AddVariable(name, value string) {
	if u, err := url.Parse(strings.TrimSpace(value)); err == nil && u.Scheme != "" && u.Host != "" {
		s.AddAddress(name, value)
		return
	}
	s.Add(name, value)
}

// index returns the index of the secrets of a length or longer.
func (s *Secrets) index(least int) *index {
	var long []secret
	for _, v := range s.all {
		if len(v.value) >= least {
			long = append(long, v)
		}
	}
	return newIndex(long)
}
