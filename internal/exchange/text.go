package exchange

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a JSON string as Python does: a lone surrogate, which Python's json
// module writes as an escape, is kept in the form that UTF-8 would have given it
// (WTF-8) instead of being replaced, and bytes that are not UTF-8 stay as they
// are. raw must be a valid JSON value.
func text(raw json.RawMessage) (string, error) {
	s := strings.TrimSpace(string(raw))
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", fmt.Errorf("want text, found %s", kind(s))
	}
	var b strings.Builder
	b.Grow(len(s))
	for s = s[1 : len(s)-1]; s != ""; {
		if s[0] != '\\' {
			end := strings.IndexByte(s, '\\')
			if end < 0 {
				end = len(s)
			}
			b.WriteString(s[:end])
			s = s[end:]
			continue
		}
		n, err := escape(&b, s)
		if err != nil {
			return "", err
		}
		s = s[n:]
	}
	return b.String(), nil
}

// escape writes what the escape at the start of s means and returns its length.
func escape(b *strings.Builder, s string) (int, error) {
	if len(s) < 2 {
		return 0, fmt.Errorf("a text ends in the middle of an escape")
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[i])
		return 2, nil
	}
	high, ok := unit(s)
	if !ok {
		return 0, fmt.Errorf("a text holds a broken escape: %.6q", s)
	}
	if !utf16.IsSurrogate(high) {
		b.WriteRune(high)
		return 6, nil
	}
	if low, ok := unit(s[6:]); ok {
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			b.WriteRune(r)
			return 12, nil
		}
	}
	b.Write([]byte{0xE0 | byte(high>>12), 0x80 | byte(high>>6)&0x3F, 0x80 | byte(high)&0x3F})
	return 6, nil
}

// unit reads the UTF-16 code unit of an escape.
func unit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// kind says what a JSON value is.
func kind(s string) string {
	switch {
	case s == "":
		return "nothing"
	case s == "null", s == "true", s == "false":
		return s
	case s[0] == '{':
		return "an object"
	case s[0] == '[':
		return "an array"
	case s[0] == '"':
		return "text"
	}
	return "a number"
}
