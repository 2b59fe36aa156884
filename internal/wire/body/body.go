// Package body writes the JSON bodies of requests, and refuses prompts that a protocol could only
// send by changing them.
package body

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A Writer writes a JSON object, member by member. A nested object, such as
// "generationConfig", has a writer of its own.
type Writer struct {
	b     []byte
	names []string
	err   error
}

// New begins an object.
func New() *Writer { return &Writer{b: append(make([]byte, 0, 512), '{')} }

// name begins a member.
func (o *Writer) name(name string) {
	if len(o.b) > 1 {
		o.b = append(o.b, ',')
	}
	o.b = append(rawjson.AppendString(o.b, name), ':')
	o.names = append(o.names, name)
}

// Raw adds a member whose value is JSON already.
func (o *Writer) Raw(name string, value []byte) {
	o.name(name)
	o.b = append(o.b, value...)
}

// Text adds a text.
func (o *Writer) Text(name, value string) {
	if !utf8.ValidString(value) {
		o.Fail(fmt.Errorf("%s is not valid UTF-8 and cannot be sent unchanged", name))
		return
	}
	o.name(name)
	o.b = rawjson.AppendString(o.b, value)
}

// Value adds anything that has a JSON form.
func (o *Writer) Value(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		o.Fail(err)
		return
	}
	o.Raw(name, data)
}

// Has reports whether a member of the name is there.
func (o *Writer) Has(name string) bool { return slices.Contains(o.names, name) }

// Extra adds parameters as they are. Those that are set already or reserved, because the
// program relies on them, are errors.
func (o *Writer) Extra(params map[string]json.RawMessage, reserved ...string) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch value := params[name]; {
		case o.Has(name) || slices.Contains(reserved, name):
			o.Fail(fmt.Errorf("the extra parameter %q is set already", name))
		case !rawjson.Valid(value):
			o.Fail(fmt.Errorf("the extra parameter %q is not JSON", name))
		default:
			o.Raw(name, value)
		}
	}
}

// Object adds an object, if it has members, together with those of the extra parameter of
// that name. It returns the other extra parameters.
func (o *Writer) Object(name string, inner *Writer, params map[string]json.RawMessage) map[string]json.RawMessage {
	more, isThere := params[name]
	if isThere {
		var object map[string]json.RawMessage
		if json.Unmarshal(more, &object) != nil || object == nil {
			o.Fail(fmt.Errorf("the extra parameter %q must be a JSON object", name))
		}
		inner.Extra(object)
	}
	value, err := inner.End()
	switch {
	case err != nil:
		o.Fail(fmt.Errorf("in %q: %w", name, err))
	case len(inner.names) > 0 || isThere:
		o.Raw(name, value)
	}
	rest := maps.Clone(params)
	delete(rest, name)
	return rest
}

// Fail makes the object an error; the first one counts.
func (o *Writer) Fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// End returns the object.
func (o *Writer) End() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	return append(o.b, '}'), nil
}

// With returns the object with one more member, the prompt, and the object without it,
// which is recorded as sent.
func (o *Writer) With(name string, prompt []byte) (full, sent []byte, err error) {
	if sent, err = o.End(); err != nil {
		return nil, nil, err
	}
	full = make([]byte, 0, len(sent)+len(name)+len(prompt)+4)
	full = append(full, sent[:len(sent)-1]...)
	if len(sent) > 2 {
		full = append(full, ',')
	}
	full = append(rawjson.AppendString(full, name), ':')
	return append(append(full, prompt...), '}'), sent, nil
}

// CountSystem returns how many system messages a prompt begins with, for protocols that
// have one place for them, before all others. A later one is refused, because moving it
// would change the prompt. So are images in them.
func CountSystem(prompt verbatim.Prompt) (n int, err error) {
	for n < len(prompt) && prompt[n].Role == "system" {
		for _, p := range prompt[n].Content {
			if p.Image != nil {
				return 0, fmt.Errorf("message %d of the prompt: a system message holds only text in this protocol", n+1)
			}
		}
		n++
	}
	for i, m := range prompt[n:] {
		if m.Role == "system" {
			return 0, fmt.Errorf("message %d of the prompt: this protocol has a place for system messages only before all others", n+i+1)
		}
	}
	if n > 0 && n == len(prompt) {
		return 0, errors.New("the prompt has system messages only: this protocol wants a message of the user")
	}
	return n, nil
}

// checkPart refuses a part of a prompt that cannot be sent as it is.
func checkPart(p verbatim.Part) error {
	switch {
	case p.Image == nil && !utf8.ValidString(p.Text):
		return errors.New("the text is not valid UTF-8 and cannot be sent unchanged")
	case p.Image != nil && (len(p.Image.Bytes) == 0 || p.Image.Media == ""):
		return errors.New("an image has no bytes or no media type")
	}
	return nil
}

// AppendBase64 appends the base64 of an image within a JSON string.
func AppendBase64(dst []byte, im *verbatim.Image) []byte {
	return base64.StdEncoding.AppendEncode(dst, im.Bytes)
}

// CheckMessages checks the prompt and calls f for each of its messages.
func CheckMessages(prompt verbatim.Prompt, f func(m verbatim.Message) error) error {
	if len(prompt) == 0 {
		return errors.New("the prompt is empty")
	}
	for i, m := range prompt {
		err := f(m)
		for _, p := range m.Content {
			if err == nil {
				err = checkPart(p)
			}
		}
		if err != nil {
			return fmt.Errorf("message %d of the prompt: %w", i+1, err)
		}
	}
	return nil
}
