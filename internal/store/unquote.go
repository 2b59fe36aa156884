package store

import (
	"strings"
	"unicode/utf8"

	"verbatim"
)

// What jsonText writes most often is read here without encoding/json, which
// makes a scan with texts twice as fast. Whatever is not exactly in that form is
// left to encoding/json: these functions then report false.

// plainPrompt reads a prompt of messages with one text each.
func plainPrompt(s string) (verbatim.Prompt, bool) {
	s, ok := strings.CutPrefix(s, "[")
	var p verbatim.Prompt
	for ok {
		var role, text string
		if s, ok = strings.CutPrefix(s, `{"role":`); ok {
			role, s, ok = unquote(s)
		}
		if ok {
			s, ok = strings.CutPrefix(s, `,"content":`)
		}
		if ok {
			text, s, ok = unquote(s)
		}
		if !ok {
			break
		}
		p = append(p, verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}})
		if s == "}]" {
			return p, true
		}
		s, ok = strings.CutPrefix(s, "},")
	}
	return nil, false
}

// plainText reads a JSON string that is all of s.
func plainText(s string) (string, bool) {
	text, rest, ok := unquote(s)
	return text, ok && rest == ""
}

// unquote reads the JSON string at the start of s and returns it and the rest.
func unquote(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	s = s[1:]
	i := strings.IndexAny(s, `"\`)
	if i < 0 {
		return "", "", false
	}
	if s[i] == '"' {
		return s[:i], s[i+1:], utf8.ValidString(s[:i])
	}
	b := make([]byte, 0, len(s))
	for i >= 0 {
		b = append(b, s[:i]...)
		if s[i] == '"' {
			return string(b), s[i+1:], utf8.Valid(b)
		}
		if i+1 >= len(s) {
			break
		}
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case '"', '\\':
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		default:
			return "", "", false // \u and what we do not write
		}
		b = append(b, c)
		i = strings.IndexAny(s, `"\`)
	}
	return "", "", false
}
