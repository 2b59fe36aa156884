package rawjson

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// MaxDepth is the most nested arrays and objects that encoding/json accepts.
const MaxDepth = 10_000

// A SyntaxError is the error of a text that is not JSON.
type SyntaxError struct {
	Offset int // of the first byte that is wrong, from 0
	What   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("not JSON at byte %d: %s", e.Offset+1, e.What)
}

// Valid reports whether text is one JSON value. It accepts what encoding/json accepts.
func Valid(text []byte) bool {
	s := scanner{text: text, deepest: MaxDepth}
	return s.document()
}

// Check returns nil if text is one JSON value with at most maxDepth nested arrays and objects,
// otherwise a *SyntaxError.
func Check(text []byte, maxDepth int) error {
	s := scanner{text: text, deepest: maxDepth}
	if s.document() {
		return nil
	}
	return &SyntaxError{Offset: s.at, What: s.problem()}
}

// Prefix returns the end of the JSON value at the start of text, after white space. It is a
// *SyntaxError if there is no value, or if it has more than maxDepth nested arrays and objects.
func Prefix(text []byte, maxDepth int) (end int, err error) {
	s := scanner{text: text, deepest: maxDepth}
	if s.value(0) {
		return s.at, nil
	}
	return 0, &SyntaxError{Offset: s.at, What: s.problem()}
}

// A scanner reads one JSON value. After an error it stays at the first wrong byte.
type scanner struct {
	text    []byte
	at      int
	deepest int

	// After an error, want says what is missing at the position, or wrong what is wrong there.
	want, wrong string
}

// problem describes the error.
func (s *scanner) problem() string {
	if s.wrong != "" {
		return s.wrong
	}
	found := "the end of the text"
	if s.at < len(s.text) {
		found = strconv.Quote(string(s.text[s.at:min(s.at+12, len(s.text))]))
	}
	return "want " + s.want + ", found " + found
}

func (s *scanner) document() bool {
	if !s.value(0) {
		return false
	}
	if s.at = skipSpace(s.text, s.at); s.at < len(s.text) {
		s.want = "the end"
		return false
	}
	return true
}

// value reads one value and the white space before it.
func (s *scanner) value(depth int) bool {
	s.at = skipSpace(s.text, s.at)
	if s.at == len(s.text) {
		s.want = "a value"
		return false
	}
	switch s.text[s.at] {
	case '"':
		return s.str()
	case '{':
		return s.nested('}', depth+1)
	case '[':
		return s.nested(']', depth+1)
	}
	return s.word()
}

// nested reads an object, whose last byte is '}', or an array.
func (s *scanner) nested(last byte, depth int) bool {
	if depth > s.deepest {
		s.wrong = fmt.Sprintf("nested more than %d deep", s.deepest)
		return false
	}
	s.at = skipSpace(s.text, s.at+1)
	if s.at < len(s.text) && s.text[s.at] == last {
		s.at++
		return true
	}
	for {
		if last == '}' {
			s.at = skipSpace(s.text, s.at)
			if !s.str() || !s.colon() {
				return false
			}
		}
		if !s.value(depth) {
			return false
		}
		s.at = skipSpace(s.text, s.at)
		switch {
		case s.at < len(s.text) && s.text[s.at] == ',':
			s.at++
		case s.at < len(s.text) && s.text[s.at] == last:
			s.at++
			return true
		default:
			s.want = `"," or ` + strconv.Quote(string(last))
			return false
		}
	}
}

func (s *scanner) colon() bool {
	s.at = skipSpace(s.text, s.at)
	if s.at == len(s.text) || s.text[s.at] != ':' {
		s.want = `":"`
		return false
	}
	s.at++
	return true
}

// str reads a string.
func (s *scanner) str() bool {
	text, i := s.text, s.at
	if i == len(text) || text[i] != '"' {
		s.want = "a string"
		return false
	}
	for i++; ; {
		for i+8 <= len(text) && isPlain8(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
		}
		for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
			i++
		}
		if s.at = i; i == len(text) {
			s.wrong = "a string without an end"
			return false
		}
		switch {
		case text[i] == '"':
			s.at++
			return true
		case text[i] < ' ':
			s.wrong = "a control character in a string"
			return false
		}
		n := escapeSize(text[i:])
		if n == 0 {
			s.want = "an escape"
			return false
		}
		i += n
	}
}

// escapeSize returns the size of the escape at the start of text, 0 for none.
func escapeSize(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(text[2:]); ok {
			return 6
		}
	}
	return 0
}

// word reads a number, true, false or null.
func (s *scanner) word() bool {
	start := s.at
	end := start
	for end < len(s.text) && inWord(s.text[end]) {
		end++
	}
	word := s.text[start:end]
	switch {
	case string(word) == "true", string(word) == "false", string(word) == "null", isNumber(word):
		s.at = end
		return true
	}
	s.want = "a value"
	return false
}

func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'E'
}

// isNumber reports whether s is a number in the grammar of JSON.
func isNumber(s []byte) bool {
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	n := countDigits(s)
	if n == 0 || n > 1 && s[0] == '0' {
		return false
	}
	s = s[n:]
	if len(s) > 0 && s[0] == '.' {
		n := countDigits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if len(s) > 0 && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := countDigits(s)
		return n > 0 && n == len(s)
	}
	return len(s) == 0
}

func countDigits(s []byte) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// isPlain8 reports whether none of the eight bytes of w is below U+0020, a quotation
// mark or a backslash. In w minus 0x20 in each byte, a byte that was smaller borrows and
// sets its highest bit; for the other two, the exclusive or makes that byte 0.
func isPlain8(w uint64) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((w-ones*' ')&^w|(quote-ones)&^quote|(slash-ones)&^slash)&highs == 0
}
