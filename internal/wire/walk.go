package wire

import (
	"bytes"
	"encoding/json"
)

// members calls f for every member of the JSON object raw, in order, with its
// name and its value, as it is written; f must not change them. It reports whether
// raw is an object.
//
// raw must be valid JSON: the wires ask json.Valid once for what has come, and
// then walk it without decoding what they do not need. That is several times
// faster than decoding into structs, which matters where an answer comes in
// hundreds of pieces, and it keeps the bytes of strings as they are. What is not
// valid ends the walk early and nothing worse.
func members(raw []byte, f func(name, value []byte)) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' {
		return false
	}
	for i := 1; i < len(raw); {
		i = skipTo(raw, i, '"', '}')
		if i >= len(raw) || raw[i] == '}' {
			return true
		}
		name := raw[i:skipString(raw, i)]
		i = skipTo(raw, i+len(name), ':', ':') + 1
		start := skipBlank(raw, i)
		i = skipValue(raw, start)
		if start < i {
			f(memberName(name), raw[start:i])
		}
	}
	return true
}

// elements calls f for every element of the JSON array raw, as members does, and
// reports whether raw is an array.
func elements(raw []byte, f func(value []byte)) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '[' {
		return false
	}
	for i := 1; i < len(raw); {
		start := skipBlank(raw, i)
		if start >= len(raw) || raw[start] == ']' {
			return true
		}
		if raw[start] == ',' {
			i = start + 1
			continue
		}
		i = skipValue(raw, start)
		f(raw[start:i])
	}
	return true
}

// member returns a member of the JSON object raw, nil where it has none; of
// several of the same name the last, as in most decoders.
func member(raw []byte, name string) (value json.RawMessage) {
	members(raw, func(n, v []byte) {
		if string(n) == name {
			value = v
		}
	})
	return value
}

// memberName returns the text of a quoted name.
func memberName(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 && len(quoted) >= 2 {
		return quoted[1 : len(quoted)-1]
	}
	s, _ := appendText(nil, quoted)
	return s
}

func skipBlank(raw []byte, i int) int {
	for i < len(raw) && (raw[i] == ' ' || raw[i] == '\n' || raw[i] == '\r' || raw[i] == '\t') {
		i++
	}
	return i
}

// skipTo returns where the first of two bytes is, from i on.
func skipTo(raw []byte, i int, a, b byte) int {
	for i < len(raw) && raw[i] != a && raw[i] != b {
		i++
	}
	return i
}

// skipString returns where the string that starts at i ends.
func skipString(raw []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(raw[i:], '"')
		if n < 0 {
			return len(raw)
		}
		i += n + 1
		// The quote is one of the text where an odd number of backslashes precedes it.
		escapes := 0
		for raw[i-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
	}
}

// skipValue returns where the value that starts at i ends.
func skipValue(raw []byte, i int) int {
	for depth := 0; i < len(raw); {
		switch raw[i] {
		case '"':
			i = skipString(raw, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		default:
			if depth == 0 {
				for i < len(raw) && bytes.IndexByte([]byte(",]} \t\r\n"), raw[i]) < 0 {
					i++
				}
				return i
			}
			i++
			continue
		}
		if depth <= 0 {
			return i
		}
	}
	return len(raw)
}
