package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/wire"
)

// SecretParam returns the path of a parameter that looks like a secret, such as
// "headers.Authorization"; "" if none does. Parameters are saved with every run and shown in reports,
// so none of them may be a secret. A value looks like one if it has a secret of r or a prefix of
// providers' keys, or if it is long and its name is that of a secret.
func (r Redactor) SecretParam(extra map[string]json.RawMessage) string {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		var value any
		if json.Unmarshal(extra[name], &value) != nil {
			continue // package wire refuses it
		}
		if path := r.secretParam(name, name, value); path != "" {
			return path
		}
	}
	return ""
}

func (r Redactor) secretParam(path, name string, value any) string {
	switch v := value.(type) {
	case string:
		if r.Holds(v) || hasKeyPrefix(v) || isSecretUnder(name, v) {
			return path
		}
	case []any:
		for i := range v {
			if at := r.secretParam(fmt.Sprintf("%s[%d]", path, i), name, v[i]); at != "" {
				return at
			}
		}
	case map[string]any:
		for _, inner := range slices.Sorted(maps.Keys(v)) {
			if at := r.secretParam(path+"."+inner, inner, v[inner]); at != "" {
				return at
			}
		}
	}
	return ""
}

var (
	// secretParamNames matches names whose values are always secrets.
	secretParamNames = regexp.MustCompile(`(?i)(^|[._-])(authorization|cookie|password|passwd|secret|credentials?|(auth|access|refresh|bearer|session|security|api)[_-]?token)$|^token$|api[_-]?key|secret[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret`)
	// keyNames matches names whose values may be secrets.
	keyNames = regexp.MustCompile(`(?i)key|token|secret|password|auth`)
)

// hasKeyPrefix reports whether a value has a prefix of providers' keys, and a rest that is no ordinary
// word.
func hasKeyPrefix(s string) bool {
	s = strings.TrimSpace(s)
	start := keyPrefix.FindString(s)
	if start == "" || len(s) < longSecret || isPlaceholder(s) {
		return false
	}
	rest := strings.TrimSpace(s[len(start):])
	return !strings.ContainsFunc(rest, unicode.IsSpace) && strings.ContainsAny(rest, "0123456789") && longestWord(rest) >= cutRun
}

// longestWord returns the length of the longest run of letters and digits.
func longestWord(s string) int {
	longest := 0
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		longest = max(longest, len(w))
	}
	return longest
}

// isSecretUnder reports whether a value is a secret under that name.
func isSecretUnder(name, s string) bool {
	s = strings.TrimSpace(s)
	switch {
	case isPlaceholder(s):
		return false
	case secretParamNames.MatchString(name):
		return len(s) >= shortSecret
	case keyNames.MatchString(name):
		return LooksLikeKey(s)
	}
	return false
}

var (
	keyPrefix = regexp.MustCompile(`(?i)^(bearer |basic |sk-|sk_|pk-|rk_|gsk_|xai-|aiza|akia|hf_|r8_|ghp_|glpat-|key-|pplx-|nvapi-|fw_)`)
	keyBody   = regexp.MustCompile(`^[A-Za-z0-9+/]{32,}={0,2}$`)
)

// LooksLikeKey reports whether a value is probably a secret: it has a prefix of providers' keys, or is
// a long run of letters and digits that is improbable as a name.
func LooksLikeKey(s string) bool {
	s = strings.TrimSpace(s)
	if keyPrefix.MatchString(s) {
		return len(s) >= 16
	}
	return keyBody.MatchString(s) && strings.ContainsAny(s, "0123456789") && strings.ContainsFunc(s, unicode.IsLetter)
}

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

// ModelName returns the name of a model that is safe to show: an address without its user, password and
// query, on one line of at most 200 characters.
func ModelName(name string) string {
	if scheme, rest, found := strings.Cut(name, "://"); found {
		address, model, named := strings.Cut(rest, "#")
		address, _, _ = strings.Cut(address, "?")
		host, path, _ := strings.Cut(address, "/")
		host = host[strings.LastIndex(host, "@")+1:]
		name = scheme + "://" + strings.TrimSuffix(host+"/"+path, "/")
		if named {
			name += "#" + model
		}
	}
	return wire.CleanLine(name, 200)
}
