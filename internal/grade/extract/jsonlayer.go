package extract

import "strings"

// offJSON takes off an object with one field, or with a field that is named like an
// answer.
func (s *scan) offJSON(from, to int) (int, int, bool) {
	t := s.text[from:to]
	if len(t) < 5 || t[0] != '{' || t[len(t)-1] != '}' {
		return 0, 0, false
	}
	var a, b, fields int
	byName := false
	for at := skipBlank(t, 1); at < len(t)-1; {
		end := endOfString(t, at)
		if t[at] != '"' || end < 0 {
			return 0, 0, false
		}
		name := strings.ToLower(t[at+1 : end])
		if at = skipBlank(t, end+1); at >= len(t) || t[at] != ':' {
			return 0, 0, false
		}
		at = skipBlank(t, at+1)
		stop := endOfJSON(t, at)
		if stop < 0 {
			return 0, 0, false
		}
		fields++
		if answerField(name) && !byName || fields == 1 {
			a, b, byName = at, stop, answerField(name)
		}
		if at = skipBlank(t, stop); at < len(t) && t[at] == ',' {
			at = skipBlank(t, at+1)
		}
	}
	if fields == 0 || fields > 1 && !byName {
		return 0, 0, false
	}
	return from + a, from + b, true
}

func answerField(name string) bool {
	switch name {
	case "answer", "result", "output", "final_answer", "final answer", "finalanswer", "sum", "sorted_list", "sorted", "sortedlist",
		"reversed", "reversed_string", "reversed_text", "reversedstring", "count", "position", "occurrences", "total", "root", "square_root", "cube_root":
		return true
	}
	return false
}

func skipBlank(t string, at int) int {
	for at < len(t) && strings.IndexByte(" \t\r\n", t[at]) >= 0 {
		at++
	}
	return at
}

// endOfString returns where the string that begins at the quote t[at] ends; -1 if nowhere.
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

// endOfJSON returns the end of the value at t[at]; -1 if it has none.
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
