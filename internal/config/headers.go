package config

import (
	"net/http"
	"strings"

	"verbatim/internal/listsort"
)

// envPrefix marks a value that is the name of a variable.
const envPrefix = "env:"

// A SecretHeader is a header whose value comes from the environment. It is kept
// apart from the endpoint, which may be shown.
type SecretHeader struct {
	Name, Variable string
	Value          func() string // a function, because reflection prints strings
}

// Headers adds the model's headers: what comes from the environment is kept apart.
func (m Model) Headers(getenv func(string) string, unasked bool) (literal http.Header, secret []SecretHeader, err error) {
	for name, value := range m.Entry.Headers {
		env, fromEnv := strings.CutPrefix(value, envPrefix)
		if !fromEnv {
			if literal == nil {
				literal = http.Header{}
			}
			literal.Set(name, value)
			continue
		}
		v := strings.TrimSpace(getenv(env))
		if v == "" && unasked {
			continue
		}
		if v == "" {
			return nil, nil, m.ErrorAt("headers."+name, "set it to the value of the header "+name, "%s is not set", env)
		}
		if strings.ContainsAny(v, "\r\n\x00") {
			return nil, nil, m.ErrorAt("headers."+name, "", "the value of %s is not one line", env)
		}
		secret = append(secret, SecretHeader{name, env, func() string { return v }})
	}
	listsort.Stable(secret, func(a, b SecretHeader) int { return strings.Compare(a.Name, b.Name) })
	return literal, secret, nil
}
