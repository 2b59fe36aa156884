package rawjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns the text of raw, a JSON string, and false if raw is not a string. Bytes that are not
// UTF-8 stay, and the escape of half a surrogate pair becomes three bytes (WTF-8).
func Text(raw []byte) (string, bool) {
	if len(raw) >= 2 && raw[0] == '"' && raw[len(raw)-1] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	b, ok := AppendText(nil, raw)
	return string(b), ok
}

// AppendText appends what Text returns. The two halves of a surrogate pair are joined even if one is
// at the end of dst and the other at the start of raw: servers that split texts in UTF-16 send them
// in two events.
func AppendText(dst, raw []byte) ([]byte, bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return dst, false
	}
	raw = raw[1 : len(raw)-1]
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...), true
		}
		dst = append(dst, raw[:i]...)
		raw = raw[i:]
		n := escapeSize(raw)
		switch {
		case n == 0:
			return dst, false
		case n == 2:
			dst = append(dst, unescape(raw[1]))
		default:
			unit, _ := hex4(raw[2:])
			dst = appendUnit(dst, unit)
		}
		raw = raw[n:]
	}
}

// unescape returns the byte that a backslash and c stand for.
func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// hex4 reads four hexadecimal digits.
func hex4(s []byte) (v rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for _, c := range s[:4] {
		switch {
		case '0' <= c && c <= '9':
			v = v<<4 + rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			v = v<<4 + rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}

// appendUnit appends one UTF-16 code unit.
func appendUnit(dst []byte, u rune) []byte {
	if u < 0xD800 || u > 0xDFFF {
		return utf8.AppendRune(dst, u)
	}
	if n := len(dst) - 3; u >= 0xDC00 && n >= 0 {
		if high, ok := surrogate(dst[n:]); ok && high < 0xDC00 {
			return utf8.AppendRune(dst[:n], (high-0xD800)<<10+(u-0xDC00)+0x10000)
		}
	}
	return append(dst, 0xED, 0x80|byte(u>>6&0x3F), 0x80|byte(u&0x3F))
}

// surrogate returns the half of a surrogate pair whose three bytes s begins with.
func surrogate[T string | []byte](s T) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1]&0xE0 != 0xA0 || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

// CutText returns the text of the JSON string at the start of s, and the rest of s. It
// reports false if there is no string, or one that is not UTF-8 or has escapes other than
// those that AppendString writes.
func CutText(s string) (text, rest string, ok bool) {
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
		if i+1 >= len(s) || strings.IndexByte(`"\nrt`, s[i+1]) < 0 {
			break
		}
		b = append(b, unescape(s[i+1]))
		s = s[i+2:]
		i = strings.IndexAny(s, `"\`)
	}
	return "", "", false
}

// AppendString appends s as a JSON string. It escapes only what it must: control
// characters below U+0020, quotation marks and backslashes. Bytes that are not UTF-8 pass
// as they are.
func AppendString(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		for i+8 <= len(s) && isPlain8(word8(s[i:])) {
			i += 8
		}
		if i == len(s) {
			break
		}
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// word8 returns the first eight bytes of s as a number; the compiler makes one load of it.
func word8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// AppendASCII appends s as a JSON string of ASCII, as Python's json module writes it.
// The three bytes of half a surrogate pair become its escape; other bytes that are not UTF-8 become
// the escape of U+FFFD.
func AppendASCII(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if half, ok := surrogate(s); ok {
			r, size = half, 3
		}
		s = s[size:]
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= ' ' && r <= '~':
			dst = append(dst, byte(r))
		default:
			dst = AppendEscape(dst, r)
		}
	}
	return append(dst, '"')
}

// AppendEscape appends the escape of a code point: \uXXXX, or two of them.
func AppendEscape(dst []byte, r rune) []byte {
	if r > 0xFFFF {
		r -= 0x10000
		return fmt.Appendf(dst, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// Printable returns an equivalent JSON text with escapes for all characters that are not printable:
// a terminal could obey them, or a reader overlook them. Line feeds between values stay. Bytes that
// are not UTF-8 become the escape of U+FFFD.
func Printable(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r == '\n' || r >= ' ' && r <= '~' || r > '~' && r != utf8.RuneError && unicode.IsPrint(r) {
			out = utf8.AppendRune(out, r)
		} else {
			out = AppendEscape(out, r)
		}
	}
	return out
}
