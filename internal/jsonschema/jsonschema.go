// Package jsonschema writes the JSON Schema of one object, for a server that is to return this
// object. Start at Of.
package jsonschema

import (
	"bytes"
	"slices"

	"verbatim/internal/rawjson"
)

// deepest is the greatest depth of nested objects and arrays.
const deepest = 100

// Of returns the JSON Schema of an object: its keys in their order, all of them required and
// without others, and the types of their values. It does not have the values. If the elements of an
// array have several types, any of these is allowed. ok is false if text is not a JSON object, or
// has more than 100 nested objects and arrays.
//
// The schema uses only keywords that the strict modes of OpenAI, Anthropic, Gemini and llama.cpp
// all know: type, properties, required, additionalProperties, items, anyOf.
func Of(text string) (schema []byte, ok bool) {
	raw := bytes.TrimSpace([]byte(text))
	if rawjson.Check(raw, deepest) != nil || raw[0] != '{' {
		return nil, false
	}
	return appendSchema(nil, raw), true
}

// appendSchema appends the schema of a valid value.
func appendSchema(b, value []byte) []byte {
	switch value[0] {
	case '{':
		return appendObject(b, value)
	case '[':
		return appendArray(b, value)
	}
	return append(append(append(b, `{"type":"`...), scalar(value)...), `"}`...)
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

// appendObject appends the schema of an object.
func appendObject(b, value []byte) []byte {
	var required [][]byte
	b = append(b, `{"type":"object","properties":{`...)
	rawjson.Members(value, func(name, v []byte) {
		key := rawjson.AppendString(nil, string(name))
		if len(required) > 0 {
			b = append(b, ',')
		}
		required = append(required, key)
		b = appendSchema(append(append(b, key...), ':'), v)
	})
	b = append(b, `},"required":[`...)
	b = append(b, bytes.Join(required, []byte(","))...)
	return append(b, `],"additionalProperties":false}`...)
}

func contains(list [][]byte, text []byte) bool {
	return slices.ContainsFunc(list, func(other []byte) bool { return bytes.Equal(text, other) })
}

// appendArray appends the schema of an array. The strict modes require a type of the elements of an
// empty array too.
func appendArray(b, value []byte) []byte {
	var kinds [][]byte
	rawjson.Elements(value, func(v []byte) {
		if kind := appendSchema(nil, v); !contains(kinds, kind) {
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
	return append(b, '}')
}
