package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"verbatim/internal/rawjson"
)

// A Writer writes a JSON object, member by member. A nested object, such as
// "generationConfig", has a writer of its own. The first error is returned by End.
type bodyWriter struct {
	b     []byte
	names []string
	err   error
}

// newBody begins an object.
func newBody() *bodyWriter { return &bodyWriter{b: append(make([]byte, 0, 512), '{')} }

// name begins a member.
func (o *bodyWriter) name(name string) {
	if len(o.b) > 1 {
		o.b = append(o.b, ',')
	}
	o.b = append(rawjson.AppendString(o.b, name), ':')
	o.names = append(o.names, name)
}

// Raw adds a member whose value is JSON already.
func (o *bodyWriter) Raw(name string, value []byte) {
	o.name(name)
	o.b = append(o.b, value...)
}

// Text adds a member whose value is a string.
func (o *bodyWriter) Text(name, value string) {
	if !utf8.ValidString(value) {
		o.fail(fmt.Errorf("%s is not valid UTF-8 and cannot be sent unchanged", name))
		return
	}
	o.name(name)
	o.b = rawjson.AppendString(o.b, value)
}

// Value adds a member whose value is the JSON of v.
func (o *bodyWriter) Value(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		o.fail(err)
		return
	}
	o.Raw(name, data)
}

// optionalField adds a member whose value is the JSON of *v, unless v is nil.
func optionalField[T any](o *bodyWriter, name string, v *T) {
	if v != nil {
		o.Value(name, *v)
	}
}

// Has reports whether the object has a member of that name.
func (o *bodyWriter) has(name string) bool { return slices.Contains(o.names, name) }

// Extra adds parameters of the user as they are. A name that the object has already, or that
// is reserved because the program sets it itself, is an error.
func (o *bodyWriter) Extra(params map[string]json.RawMessage, reserved ...string) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch value := params[name]; {
		case o.has(name) || slices.Contains(reserved, name):
			o.fail(fmt.Errorf("the extra parameter %q is set already", name))
		case !rawjson.Valid(value):
			o.fail(fmt.Errorf("the extra parameter %q is not JSON", name))
		default:
			o.Raw(name, value)
		}
	}
}

// Join adds the members of the extra parameter of that name, which must be an object. It
// returns the other extra parameters. reserved is as in Extra.
func (o *bodyWriter) Join(name string, params map[string]json.RawMessage, reserved ...string) map[string]json.RawMessage {
	value, isThere := params[name]
	if !isThere {
		return params
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil || members == nil {
		o.fail(fmt.Errorf("the extra parameter %q must be a JSON object", name))
	}
	o.Extra(members, reserved...)
	rest := maps.Clone(params)
	delete(rest, name)
	return rest
}

// Object adds an object, joined with the extra parameter of that name. It is left out if it
// has no members and there is no such parameter. Object returns the other extra parameters.
func (o *bodyWriter) object(name string, inner *bodyWriter, params map[string]json.RawMessage) map[string]json.RawMessage {
	rest := inner.Join(name, params)
	value, err := inner.End()
	switch {
	case err != nil:
		o.fail(fmt.Errorf("in %q: %w", name, err))
	case len(inner.names) > 0 || len(rest) < len(params):
		o.Raw(name, value)
	}
	return rest
}

// fail notes an error; the first one counts.
func (o *bodyWriter) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// End returns the object, or the first error.
func (o *bodyWriter) End() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	return append(o.b, '}'), nil
}

// With returns the object with one more member, the prompt, and the object without it,
// which is recorded as sent.
func (o *bodyWriter) With(name string, prompt []byte) (full, sent []byte, err error) {
	if sent, err = o.End(); err != nil {
		return nil, nil, err
	}
	full = make([]byte, 0, len(sent)+len(name)+len(prompt)+4)
	return rawjson.AppendMember(append(full, sent...), name, prompt), sent, nil
}
