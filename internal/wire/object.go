package wire

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

// An objectWriter writes a JSON object, member by member. A nested object, such as
// "generationConfig", has a writer of its own.
type objectWriter struct {
	b     []byte
	names []string
	err   error
}

func newObject() *objectWriter { return &objectWriter{b: append(make([]byte, 0, 512), '{')} }

// name begins a member.
func (o *objectWriter) name(name string) {
	if len(o.b) > 1 {
		o.b = append(o.b, ',')
	}
	o.b = append(rawjson.AppendString(o.b, name), ':')
	o.names = append(o.names, name)
}

// raw adds a member whose value is JSON already.
func (o *objectWriter) raw(name string, value []byte) {
	o.name(name)
	o.b = append(o.b, value...)
}

// text adds a text.
func (o *objectWriter) text(name, value string) {
	if !utf8.ValidString(value) {
		o.fail(fmt.Errorf("%s is not valid UTF-8 and cannot be sent unchanged", name))
		return
	}
	o.name(name)
	o.b = rawjson.AppendString(o.b, value)
}

// value adds anything that has a JSON form.
func (o *objectWriter) value(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		o.fail(err)
		return
	}
	o.raw(name, data)
}

// has reports whether a member of the name is there.
func (o *objectWriter) has(name string) bool { return slices.Contains(o.names, name) }

// extra adds parameters as they are. Those that are set already or reserved, because the
// program relies on them, are errors.
func (o *objectWriter) extra(params map[string]json.RawMessage, reserved ...string) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch value := params[name]; {
		case o.has(name) || slices.Contains(reserved, name):
			o.fail(fmt.Errorf("the extra parameter %q is set already", name))
		case !rawjson.Valid(value):
			o.fail(fmt.Errorf("the extra parameter %q is not JSON", name))
		default:
			o.raw(name, value)
		}
	}
}

func (o *objectWriter) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// end returns the object.
func (o *objectWriter) end() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	return append(o.b, '}'), nil
}

// with returns the object with one more member, the prompt, and the object without it,
// which is recorded as sent.
func (o *objectWriter) with(name string, prompt []byte) (full, sent []byte, err error) {
	if sent, err = o.end(); err != nil {
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

// countSystem returns how many system messages a prompt begins with, for protocols that
// have one place for them, before all others. A later one is refused, because moving it
// would change the prompt. So are images in them.
func countSystem(prompt verbatim.Prompt) (n int, err error) {
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

// appendBase64 appends the base64 of an image within a JSON string.
func appendBase64(dst []byte, im *verbatim.Image) []byte {
	return base64.StdEncoding.AppendEncode(dst, im.Bytes)
}

// checkMessages checks the prompt and calls f for each of its messages.
func checkMessages(prompt verbatim.Prompt, f func(m verbatim.Message) error) error {
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
