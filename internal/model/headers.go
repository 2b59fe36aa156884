package model

import (
	"net/http"
	"slices"
	"strings"
)

// envPrefix begins a value that is the name of a variable.
const envPrefix = "env:"

// A secretHeader is a header whose value comes from the environment. It is not part of the endpoint,
// which may be printed.
type secretHeader struct {
	Name, Variable string
	Value          func() string // a function, because %v prints the strings of a struct
}

// Headers returns the model's headers: literal ones, and those with values from the environment, by
// name. A variable that is not set is an error, unless skipUnset leaves its header out.
func (m configuredModel) headers(getenv func(string) string, skipUnset bool) (literal http.Header, secret []secretHeader, err error) {
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
		if v == "" && skipUnset {
			continue
		}
		if v == "" {
			return nil, nil, m.errorAt("headers."+name, "set it to the value of the header "+name, "%s is not set", env)
		}
		if strings.ContainsAny(v, "\r\n\x00") {
			return nil, nil, m.errorAt("headers."+name, "", "the value of %s is not one line", env)
		}
		secret = append(secret, secretHeader{name, env, func() string { return v }})
	}
	slices.SortStableFunc(secret, func(a, b secretHeader) int { return strings.Compare(a.Name, b.Name) })
	return literal, secret, nil
}
