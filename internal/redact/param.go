package redact

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
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
