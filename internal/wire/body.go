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

// bodyMessages returns the JSON array of the messages of a prompt, from the message with the
// index from on. appendMessage appends one to dst. Errors name the number of the message,
// which counts from 1 and from the beginning of the prompt.
func bodyMessages(prompt verbatim.Prompt, from int, appendMessage func(dst []byte, m verbatim.Message) ([]byte, error)) ([]byte, error) {
	if len(prompt) == 0 {
		return nil, errors.New("the prompt is empty")
	}
	b := append(make([]byte, 0, roomFor(prompt[from:])), '[')
	for i, m := range prompt[from:] {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendMessage(b, m); err == nil {
			err = checkParts(m.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("message %d of the prompt: %w", from+i+1, err)
		}
	}
	return append(b, ']'), nil
}

// roomFor returns about the number of bytes that messages take, without escapes.
func roomFor(messages verbatim.Prompt) int {
	n := 2
	for _, m := range messages {
		n += 48
		for _, p := range m.Content {
			n += len(p.Text) + 32
			if p.Image != nil {
				n += base64.StdEncoding.EncodedLen(len(p.Image.Bytes)) + 64
			}
		}
	}
	return n
}

// checkParts refuses parts that cannot be sent as they are.
func checkParts(parts []verbatim.Part) error {
	for _, p := range parts {
		switch {
		case p.Image == nil && !utf8.ValidString(p.Text):
			return errors.New("the text is not valid UTF-8 and cannot be sent unchanged")
		case p.Image != nil && (len(p.Image.Bytes) == 0 || p.Image.Media == ""):
			return errors.New("an image has no bytes or no media type")
		}
	}
	return nil
}

// systemParts returns the parts of the system messages that a prompt begins with, and the number
// of these messages. It is for protocols that have one place for them, before all others. A
// later system message is refused, because moving it would change the prompt. So are images
// in system messages, and a prompt without other messages.
func systemParts(prompt verbatim.Prompt) (parts []verbatim.Part, n int, err error) {
	for n < len(prompt) && prompt[n].Role == "system" {
		for _, p := range prompt[n].Content {
			if p.Image != nil {
				return nil, 0, fmt.Errorf("message %d of the prompt: a system message holds only text in this protocol", n+1)
			}
			parts = append(parts, p)
		}
		if err := checkParts(prompt[n].Content); err != nil {
			return nil, 0, fmt.Errorf("message %d of the prompt: %w", n+1, err)
		}
		n++
	}
	for i, m := range prompt[n:] {
		if m.Role == "system" {
			return nil, 0, fmt.Errorf("message %d of the prompt: this protocol has a place for system messages only before all others", n+i+1)
		}
	}
	if n > 0 && n == len(prompt) {
		return nil, 0, errors.New("the prompt has only system messages: this protocol requires a user message")
	}
	return parts, n, nil
}

// appendMessage appends a message as {"role": …, "content": …}; appendPart is as in
// appendContent.
func appendMessage(dst []byte, m verbatim.Message, appendPart func(dst []byte, p verbatim.Part) []byte) []byte {
	dst = rawjson.AppendString(append(dst, `{"role":`...), m.Role)
	dst = append(dst, `,"content":`...)
	return append(appendContent(dst, m.Content, appendPart), '}')
}

// appendContent appends the content of a message: a single text as a string, which every
// server reads, anything else as an array of parts. appendPart appends one part.
func appendContent(dst []byte, parts []verbatim.Part, appendPart func(dst []byte, p verbatim.Part) []byte) []byte {
	switch {
	case len(parts) == 0:
		return append(dst, `""`...)
	case len(parts) == 1 && parts[0].Image == nil:
		return rawjson.AppendString(dst, parts[0].Text)
	}
	return appendParts(dst, parts, appendPart)
}

// appendParts appends an array of parts. appendPart appends one part.
func appendParts(dst []byte, parts []verbatim.Part, appendPart func(dst []byte, p verbatim.Part) []byte) []byte {
	dst = append(dst, '[')
	for i, p := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPart(dst, p)
	}
	return append(dst, ']')
}

// appendBase64 appends an image as a JSON string: its bytes in base64.
func appendBase64(dst []byte, im *verbatim.Image) []byte {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), im.Bytes), '"')
}

// appendDataURI appends an image as a JSON string: a data URI.
func appendDataURI(dst []byte, im *verbatim.Image) []byte {
	dst = rawjson.AppendString(dst, "data:"+im.Media+";base64,")
	return append(base64.StdEncoding.AppendEncode(dst[:len(dst)-1], im.Bytes), '"')
}

// The one tool that is offered, and the name of the schema.
const (
	toolName        = "record"
	toolDescription = "Record an object."
)

// isTool reports whether a reply is to be the arguments of a tool.
func isTool(p verbatim.Params) bool { return p.Structure != nil && p.Structure.As == verbatim.AsTool }

// isSchema reports whether a reply is to follow a schema.
func isSchema(p verbatim.Params) bool {
	return p.Structure != nil && p.Structure.As == verbatim.AsSchema
}

// structureFields are members of a body: pairs of a name and a JSON value.
type structureFields [][2]string

// Names lists the names of the members. Extra parameters must not have them.
func (f structureFields) Names() (names []string) {
	for _, m := range f {
		names = append(names, m[0])
	}
	return names
}

// AppendTo appends the members to an object. They belong to one request alone, so they are no
// part of what is recorded as sent.
func (f structureFields) appendTo(body []byte) []byte {
	for _, m := range f {
		body = rawjson.AppendMember(body, m[0], []byte(m[1]))
	}
	return body
}

// function is the tool as OpenAI's API describes it.
func function(schema []byte) string {
	return fmt.Sprintf(`{"name":"%s","description":"%s","parameters":%s}`, toolName, toolDescription, schema)
}

// chatStructure returns the members of a chat completion.
func chatStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{
			{"tools", `[{"type":"function","function":` + function(p.Structure.Schema) + `}]`},
			{"tool_choice", `"required"`}, // which more servers know than the name of a tool
		}
	case isSchema(p):
		return structureFields{{"response_format", `{"type":"json_schema","json_schema":{"name":"` + toolName + `","strict":true,"schema":` + string(p.Structure.Schema) + `}}`}}
	}
	return nil
}

// responsesStructure returns the members of a request of the responsesStructure API.
func responsesStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{
			{"tools", `[{"type":"function","strict":true,` + function(p.Structure.Schema)[1:] + `]`},
			{"tool_choice", `"required"`},
		}
	case isSchema(p):
		return structureFields{{"text", `{"format":{"type":"json_schema","name":"` + toolName + `","strict":true,"schema":` + string(p.Structure.Schema) + `}}`}}
	}
	return nil
}

// anthropicStructure returns the members of a request of anthropicStructure's API. One object has both the schema
// and the effort.
func anthropicStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{
			{"tools", fmt.Sprintf(`[{"name":"%s","description":"%s","input_schema":%s}]`, toolName, toolDescription, p.Structure.Schema)},
			{"tool_choice", `{"type":"tool","name":"` + toolName + `","disable_parallel_tool_use":true}`},
		}
	case isSchema(p):
		config := `{`
		if p.Effort != "" {
			config += `"effort":` + string(rawjson.AppendString(nil, p.Effort)) + `,`
		}
		return structureFields{{"output_config", config + `"format":{"type":"json_schema","schema":` + string(p.Structure.Schema) + `}}`}}
	}
	return nil
}

// geminiTools returns the members of a request of Gemini's API for a tool. The schema is a part
// of its generationConfig.
func geminiTools(p verbatim.Params) structureFields {
	if !isTool(p) {
		return nil
	}
	return structureFields{
		{"tools", fmt.Sprintf(`[{"functionDeclarations":[{"name":"%s","description":"%s","parametersJsonSchema":%s}]}]`, toolName, toolDescription, p.Structure.Schema)},
		{"toolConfig", `{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["` + toolName + `"]}}`},
	}
}

// ollamaStructure returns the members of a request of ollamaStructure's API, which cannot require a call.
func ollamaStructure(p verbatim.Params) structureFields {
	switch {
	case isTool(p):
		return structureFields{{"tools", `[{"type":"function","function":` + function(p.Structure.Schema) + `}]`}}
	case isSchema(p):
		return structureFields{{"format", string(p.Structure.Schema)}}
	}
	return nil
}
