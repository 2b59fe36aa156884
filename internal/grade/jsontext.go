package grade

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// A jsonText reads JSON without building what nobody asks for: a line of replies
// is mostly one long string. It accepts what encoding/json accepts, and reads
// strings as they are: bytes that are not UTF-8 stay, and a surrogate without its
// partner becomes the three bytes that stand for it (WTF-8), where encoding/json
// would put U+FFFD for both.
type jsonText struct {
	line []byte
	at   int
}

// maxDepth is how deep values may be nested.
const maxDepth = 1000

func (t *jsonText) errorf(format string, args ...any) error {
	return fmt.Errorf("not JSON at byte %d: %s", t.at+1, fmt.Sprintf(format, args...))
}

// peek skips white space and returns the next byte, 0 at the end.
func (t *jsonText) peek() byte {
	for t.at < len(t.line) {
		switch c := t.line[t.at]; c {
		case ' ', '\t', '\r', '\n':
			t.at++
		default:
			return c
		}
	}
	return 0
}

// expect skips white space and takes the byte c.
func (t *jsonText) expect(c byte) error {
	if t.peek() != c || t.at == len(t.line) {
		return t.errorf("want %q, not %s", string(c), t.here())
	}
	t.at++
	return nil
}

// here quotes what stands at the reading position.
func (t *jsonText) here() string {
	if t.at >= len(t.line) {
		return "the end of the line"
	}
	return strconv.Quote(string(t.line[t.at:min(t.at+12, len(t.line))]))
}

// end reports an error unless only white space is left.
func (t *jsonText) end() error {
	if t.peek(); t.at < len(t.line) {
		return t.errorf("%s after the end", t.here())
	}
	return nil
}

// object reads an object and calls member at the value of every key; member must
// read that value and not keep the key, which begins at start.
func (t *jsonText) object(member func(key []byte, start int) error) error {
	if err := t.expect('{'); err != nil {
		return err
	}
	if t.peek() == '}' {
		t.at++
		return nil
	}
	for {
		t.peek()
		start := t.at
		key, escapes, err := t.span()
		if err != nil {
			return err
		}
		if escapes {
			key = replaceEscapes(key)
		}
		if err := t.expect(':'); err != nil {
			return err
		}
		if err := member(key, start); err != nil {
			return err
		}
		if t.peek() == ',' {
			t.at++
			continue
		}
		return t.expect('}')
	}
}

// array reads an array and calls element at every value; element must read it.
func (t *jsonText) array(element func() error) error {
	if err := t.expect('['); err != nil {
		return err
	}
	if t.peek() == ']' {
		t.at++
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if t.peek() == ',' {
			t.at++
			continue
		}
		return t.expect(']')
	}
}

// skip reads a value of any kind.
func (t *jsonText) skip(depth int) error {
	if depth > maxDepth {
		return t.errorf("nested more than %d deep", maxDepth)
	}
	switch t.peek() {
	case '{':
		return t.object(func([]byte, int) error { return t.skip(depth + 1) })
	case '[':
		return t.array(func() error { return t.skip(depth + 1) })
	case '"':
		_, _, err := t.span()
		return err
	}
	_, err := t.word()
	return err
}

// value reads what an Answer's list may hold: see verbatim.Answer.
func (t *jsonText) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, t.errorf("nested more than %d deep", maxDepth)
	}
	switch t.peek() {
	case '{':
		return nil, fmt.Errorf("a list cannot hold an object")
	case '[':
		return t.list(depth)
	case '"':
		return t.text()
	}
	return t.scalar()
}

func (t *jsonText) list(depth int) ([]any, error) {
	out := []any{}
	err := t.array(func() error {
		v, err := t.value(depth + 1)
		out = append(out, v)
		return err
	})
	return out, err
}

// word reads a number, true, false or null, as it is written.
func (t *jsonText) word() ([]byte, error) {
	start := t.at
	for t.at < len(t.line) && inWord(t.line[t.at]) {
		t.at++
	}
	word := t.line[start:t.at]
	switch string(word) {
	case "true", "false", "null":
		return word, nil
	}
	if !isNumber(word) {
		t.at = start
		return nil, t.errorf("want a value, not %s", t.here())
	}
	return word, nil
}

func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'E'
}

// scalar reads a number, true, false or null.
func (t *jsonText) scalar() (any, error) {
	raw, err := t.word()
	if err != nil {
		return nil, err
	}
	word := string(raw)
	switch word {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	}
	if strings.ContainsAny(word, ".eE") {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%.40s is not a float64", word)
		}
		return f, nil
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return n, nil
	}
	n, _ := new(big.Int).SetString(word, 10)
	return n, nil
}

// isNumber reports whether s is a number in the grammar of JSON.
func isNumber(s []byte) bool {
	s = bytes.TrimPrefix(s, []byte("-"))
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
