package rawjson

import "bytes"

// Members calls f for each member of object, in order, with its name and its value in written form.
// If there are several with a name, only the last one counts, as for most decoders. f must not change
// them. Members reports whether object is a JSON object.
//
// object must be valid: see Check. In an invalid one, Members ends early.
func Members(object []byte, f func(name, value []byte)) bool {
	start, ok := opening(object, '{')
	if !ok {
		return false
	}
	var few [24]memberSpan
	n, escaped := 0, false
	for i := start; ; n++ {
		m, ok := nextMember(object, i)
		if !ok {
			break
		}
		if n == len(few) {
			manyMembers(object, start, f)
			return true
		}
		few[n], i = m, m.end
		escaped = escaped || bytes.IndexByte(object[m.start:m.nameEnd], '\\') >= 0
	}
next:
	for i, m := range few[:n] {
		quoted := object[m.start:m.nameEnd]
		for _, later := range few[i+1 : n] {
			other := object[later.start:later.nameEnd]
			if bytes.Equal(quoted, other) || escaped && bytes.Equal(memberName(quoted), memberName(other)) {
				continue next
			}
		}
		f(memberName(quoted), object[m.value:m.end])
	}
	return true
}

// manyMembers is Members for an object of any length, whose first member is at start or behind.
func manyMembers(object []byte, start int, f func(name, value []byte)) {
	left := map[string]int{} // the members of a name that are still to come
	each := func(f func(name, value []byte)) {
		for m, ok := nextMember(object, start); ok; m, ok = nextMember(object, m.end) {
			f(memberName(object[m.start:m.nameEnd]), object[m.value:m.end])
		}
	}
	each(func(name, _ []byte) { left[string(name)]++ })
	each(func(name, value []byte) {
		if left[string(name)]--; left[string(name)] == 0 {
			f(name, value)
		}
	})
}

// Elements calls f for each element of array, as Members does, and reports whether array
// is a JSON array.
func Elements(array []byte, f func(value []byte)) bool {
	i, ok := opening(array, '[')
	if !ok {
		return false
	}
	for i < len(array) {
		start := skipSpace(array, i)
		if start == len(array) || array[start] == ']' {
			break
		}
		if array[start] == ',' {
			i = start + 1
			continue
		}
		i = skipValue(array, start)
		f(array[start:i])
	}
	return true
}

// Member returns the value of the member with a name, nil if object has none. With several names it returns the member of the
// member, and so on.
func Member(object []byte, names ...string) []byte {
	for _, name := range names {
		var value []byte
		Members(object, func(n, v []byte) {
			if string(n) == name {
				value = v
			}
		})
		object = value
	}
	return object
}

// AppendWithout appends object without its members with a name. The others stay in written form.
func AppendWithout(dst, object []byte, name string) []byte {
	dst = append(dst, '{')
	i, _ := opening(object, '{')
	empty := true
	for {
		m, ok := nextMember(object, i)
		if !ok {
			return append(dst, '}')
		}
		i = m.end
		if string(memberName(object[m.start:m.nameEnd])) == name {
			continue
		}
		if !empty {
			dst = append(dst, ',')
		}
		dst = append(dst, object[m.start:m.end]...)
		empty = false
	}
}

// IsSet reports whether a value is neither empty nor null.
func IsSet(value []byte) bool { return len(value) > 0 && string(value) != "null" }

// Kind returns the kind of a JSON value for messages: "an object", "null".
func Kind(value []byte) string {
	switch {
	case len(value) == 0:
		return "nothing"
	case value[0] == '{':
		return "an object"
	case value[0] == '[':
		return "an array"
	case value[0] == '"':
		return "text"
	case string(value) == "null", string(value) == "true", string(value) == "false":
		return string(value)
	}
	return "a number"
}

// opening returns the offset after the opening bracket, if text begins with it.
func opening(text []byte, bracket byte) (int, bool) {
	i := skipSpace(text, 0)
	return i + 1, i < len(text) && text[i] == bracket
}

// A memberSpan has the offsets of a member in its object.
type memberSpan struct{ start, nameEnd, value, end int }

// nextMember returns the first member from the offset i on; ok is false without one.
func nextMember(object []byte, i int) (m memberSpan, ok bool) {
	for i < len(object) && object[i] != '"' {
		if object[i] == '}' {
			return m, false
		}
		i++
	}
	if i >= len(object) {
		return m, false
	}
	m.start = i
	m.nameEnd = skipString(object, i)
	i = m.nameEnd
	for i < len(object) && object[i] != ':' {
		i++
	}
	m.value = skipSpace(object, i+1)
	m.end = skipValue(object, m.value)
	return m, m.value < m.end
}

// memberName returns the text of a quoted name.
func memberName(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 && len(quoted) >= 2 {
		return quoted[1 : len(quoted)-1]
	}
	s, _ := AppendText(nil, quoted)
	return s
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}

// skipString returns the end of the string that starts at i.
func skipString(text []byte, i int) int {
	for i++; ; {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		i += n + 1
		// An odd number of backslashes before it makes the quotation mark part of the text.
		escapes := 0
		for text[i-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
	}
}

// skipValue returns the end of the value that starts at i.
func skipValue(text []byte, i int) int {
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = skipString(text, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		default:
			if depth == 0 {
				for i < len(text) && !endsWord(text[i]) {
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
	return len(text)
}

func endsWord(c byte) bool {
	return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\r' || c == '\n'
}
