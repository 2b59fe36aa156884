package extract

import "strings"

// objectAnswer returns the place of the answer in a JSON object t, as t[from:to]: the value of its only field, or of
// the first field that is named like an answer. The values need not be valid.
func objectAnswer(t string) (from, to int, ok bool) {
	if len(t) < 5 || t[0] != '{' || t[len(t)-1] != '}' {
		return 0, 0, false
	}
	fields, byName := 0, false
	for at := skipBlank(t, 1); at < len(t)-1; {
		end := endOfString(t, at)
		if t[at] != '"' || end < 0 {
			return 0, 0, false
		}
		named := answerField(strings.ToLower(t[at+1 : end]))
		if at = skipBlank(t, end+1); at >= len(t) || t[at] != ':' {
			return 0, 0, false
		}
		at = skipBlank(t, at+1)
		stop := endOfJSON(t, at)
		if stop < 0 {
			return 0, 0, false
		}
		if fields++; named && !byName || fields == 1 {
			from, to, byName = at, stop, named
		}
		if at = skipBlank(t, stop); at < len(t) && t[at] == ',' {
			at = skipBlank(t, at+1)
		}
	}
	if fields == 0 || fields > 1 && !byName {
		return 0, 0, false
	}
	return from, to, true
}

// answerField reports whether a name, in lower case, is that of an answer.
func answerField(name string) bool {
	switch name {
	case "answer", "result", "output", "final_answer", "final answer", "finalanswer", "sum", "sorted_list", "sorted", "sortedlist",
		"reversed", "reversed_string", "reversed_text", "reversedstring", "count", "position", "occurrences", "total", "root", "square_root", "cube_root":
		return true
	}
	return false
}

// skipBlank returns the place of the first character of t[at:] that is not white space; len(t)
// without one.
func skipBlank(t string, at int) int {
	for at < len(t) && strings.IndexByte(" \t\r\n", t[at]) >= 0 {
		at++
	}
	return at
}

// endOfString returns the place of the quote that ends the string which begins at the quote t[at]; -1
// without one.
func endOfString(t string, at int) int {
	for i := at + 1; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case t[at]:
			return i
		}
	}
	return -1
}

// endOfJSON returns where the value at t[at] ends; -1 if it does not end.
func endOfJSON(t string, at int) int {
	depth := 0
	for i := at; i < len(t); i++ {
		switch t[i] {
		case '"':
			if i = endOfString(t, i); i < 0 {
				return -1
			}
		case '[', '{':
			depth++
		case ']', '}', ',':
			if depth == 0 {
				return i
			}
			if t[i] != ',' {
				depth--
			}
		}
	}
	return -1
}
