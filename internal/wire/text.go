package wire

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns the string that raw, the JSON form of a string, stands for, and
// false when raw is not a string.
//
// Unlike encoding/json it changes nothing: bytes that are not UTF-8 stay as they
// are, and an escaped surrogate without its other half becomes the three bytes
// of its generalised form (WTF-8), so that what a model said can be kept exactly.
func Text(raw []byte) (string, bool) {
	b, ok := appendText(nil, raw)
	return string(b), ok
}

// appendText appends what Text returns. Two halves of a surrogate pair join even
// when one is at the end of dst and the other at the start of raw: servers that
// count in UTF-16 send them in two events.
func appendText(dst, raw []byte) ([]byte, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return dst, false
	}
	raw = raw[1 : len(raw)-1]
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 || i+1 == len(raw) {
			return append(dst, raw...), true
		}
		dst = append(dst, raw[:i]...)
		escape := raw[i+1]
		raw = raw[i+2:]
		switch escape {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			digits := raw[:min(4, len(raw))]
			unit, err := strconv.ParseUint(string(digits), 16, 16)
			if err != nil {
				return dst, false
			}
			dst = appendUnit(dst, rune(unit))
			raw = raw[len(digits):]
		default: // a quote, a slash or a backslash
			dst = append(dst, escape)
		}
	}
}

// appendUnit appends one UTF-16 code unit.
func appendUnit(dst []byte, u rune) []byte {
	if u < 0xD800 || u > 0xDFFF {
		return utf8.AppendRune(dst, u)
	}
	if n := len(dst); u >= 0xDC00 && n >= 3 && dst[n-3] == 0xED && dst[n-2]&0xF0 == 0xA0 && dst[n-1]&0xC0 == 0x80 {
		high := 0xD000 | rune(dst[n-2]&0x3F)<<6 | rune(dst[n-1]&0x3F)
		return utf8.AppendRune(dst[:n-3], (high-0xD800)<<10+(u-0xDC00)+0x10000)
	}
	return append(dst, 0xED, 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F))
}

// Clean makes one line of what a server said, safe for a terminal and at most
// max characters long: white space is folded, and what would not show, or would
// command the terminal, is written as an escape.
func Clean(s string, max int) string {
	if isPlain(s) && len(s) <= max {
		return s
	}
	var b strings.Builder
	n, space := 0, false
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		char := s[:size]
		s = s[size:]
		switch {
		case unicode.IsSpace(r):
			space = n > 0
			continue
		case r == utf8.RuneError && size == 1:
			char = fmt.Sprintf(`\x%02x`, char[0])
		case !unicode.IsGraphic(r):
			char = strings.Trim(strconv.QuoteRuneToASCII(r), "'")
		}
		if space {
			b.WriteByte(' ')
			space = false
			n++
		}
		if n >= max {
			b.WriteString("…")
			break
		}
		b.WriteString(char)
		n++
	}
	return b.String()
}

// isPlain reports whether s is visible ASCII without spaces, as most names are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
