// Package jsonschema writes the JSON Schema of one value: what a server receives of an object
// that it is to return. Start at Of.
package jsonschema

import (
	"bytes"
	"slices"

	"verbatim/internal/rawjson"
)

// deepest bounds how far a value may be nested.
const deepest = 100

// Of returns the JSON Schema of an object: its keys in their order, all of them required and
// no others, and the type of each value. It does not hold the values. Elements of an array
// with several types get a choice between these. ok is false where text is not a JSON object,
// or is nested more than 100 deep.
//
// Only those words of JSON Schema are used that the strict modes of OpenAI, Anthropic, Gemini
// and llama.cpp all know: type, properties, required, additionalProperties, items, anyOf.
func Of(text string) (schema []byte, ok bool) {
	raw := bytes.TrimSpace([]byte(text))
	if !rawjson.Valid(raw) || raw[0] != '{' {
		return nil, false
	}
	return appendSchema(nil, raw, 0)
}

// appendSchema appends the schema of a valid value.
func appendSchema(b, value []byte, depth int) ([]byte, bool) {
	if depth > deepest {
		return b, false
	}
	switch value[0] {
	case '{':
		return appendObject(b, value, depth)
	case '[':
		return appendArray(b, value, depth)
	}
	return append(append(append(b, `{"type":"`...), scalar(value)...), `"}`...), true
}

func scalar(value []byte) string {
	switch value[0] {
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func appendObject(b, value []byte, depth int) ([]byte, bool) {
	var required [][]byte
	b = append(b, `{"type":"object","properties":{`...)
	ok := true
	rawjson.Members(value, func(name, v []byte) {
		if len(required) > 0 {
			b = append(b, ',')
		}
		key := rawjson.AppendString(nil, string(name))
		required = append(required, key)
		b = append(append(b, key...), ':')
		deep := false
		b, deep = appendSchema(b, v, depth+1)
		ok = ok && deep
	})
	b = append(b, `},"required":[`...)
	b = append(b, bytes.Join(required, []byte(","))...)
	return append(b, `],"additionalProperties":false}`...), ok
}

// appendArray appends the schema of an array. An empty one has no elements to speak of: the
// strict modes want a type all the same.
func appendArray(b, value []byte, depth int) ([]byte, bool) {
	var kinds [][]byte
	ok := true
	rawjson.Elements(value, func(v []byte) {
		kind, deep := appendSchema(nil, v, depth+1)
		ok = ok && deep
		if !slices.ContainsFunc(kinds, func(other []byte) bool { return bytes.Equal(kind, other) }) {
			kinds = append(kinds, kind)
		}
	})
	b = append(b, `{"type":"array","items":`...)
	switch len(kinds) {
	case 0:
		b = append(b, `{"type":"string"}`...)
	case 1:
		b = append(b, kinds[0]...)
	default:
		b = append(b, `{"anyOf":[`...)
		b = append(append(b, bytes.Join(kinds, []byte(","))...), "]}"...)
	}
	return append(b, '}'), ok
}
