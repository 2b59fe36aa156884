package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secrets are searched for in the view of a text, in which the different ways to write a secret are the
// same: letters are in lower case, base64 for URLs is ordinary base64, escapes are decoded, and
// separators and invisible characters are left out.

// Values of viewTable for bytes that are not one byte in the view.
const (
	leftOut  = 0
	composed = 1 // it depends on the bytes after it: see viewReader.unit
)

// viewTable has what each byte is in the view.
var viewTable = makeViewTable()

func makeViewTable() (t [256]byte) {
	for i := range t {
		c := byte(i)
		switch {
		case c <= ' ' || c == 0x7F || strings.IndexByte("\"'`,:", c) >= 0:
			t[i] = leftOut
		case c >= 'A' && c <= 'Z':
			t[i] = c - 'A' + 'a'
		case c == '-':
			t[i] = '+'
		case c == '_':
			t[i] = '/'
		case strings.IndexByte(`\%&*.#`, c) >= 0, strings.IndexByte("\xC2\xCC\xCD\xD8\xE1\xE2\xE3\xEF\xF3", c) >= 0:
			t[i] = composed // escapes, masks, and the first bytes of invisible characters
		default:
			t[i] = c
		}
	}
	return t
}

// A viewReader makes the view of a text. There are two views: escapes are decoded, or they are literal,
// because a part of a password may look like an escape.
type viewReader struct {
	literal bool // escapes are literal
	escaped bool // the text has an escape
	masked  bool // the text may have a mask
}

// unit appends the view of the character or escape at s[i] to dst, and returns its size in s.
func (v *viewReader) unit(dst []byte, s string, i int) (view []byte, size int) {
	switch c := viewTable[s[i]]; c {
	case leftOut:
		return dst, 1
	case composed:
	default:
		return append(dst, c), 1
	}
	r, size := rune(-1), 0
	switch c := s[i]; {
	case c == '*' || c == '.' || c == '#':
		v.masked = v.masked || i > 0 && s[i-1] == c
	case v.literal && c < utf8.RuneSelf:
	case c == '\\':
		r, size = backslashed(s[i:])
	case c == '%':
		r, size = hexRune(s[i:], 1, 2)
	case c == '&':
		r, size = entity(s[i:])
	default:
		if r, size = utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError {
			return append(dst, s[i:i+size]...), size
		}
	}
	v.masked = v.masked || r == '…' || r == '•' || r == '●'
	v.escaped = v.escaped || size > 0 && s[i] < utf8.RuneSelf
	switch {
	case size == 0:
		return viewByte(dst, s[i]), 1
	case r >= 0xFF01 && r <= 0xFF5E: // wide forms of ASCII
		r -= 0xFEE0
	}
	if isInvisible(r) {
		return dst, size
	}
	if r >= utf8.RuneSelf {
		return utf8.AppendRune(dst, r), size
	}
	return viewByte(dst, byte(r)), size
}

// viewByte appends the view of a byte that is no part of an escape.
func viewByte(dst []byte, b byte) []byte {
	switch c := viewTable[b]; {
	case c > composed:
		return append(dst, c)
	case c == leftOut || b == '\\':
		return dst
	}
	return append(dst, b)
}

// backslashed reads an escape of JSON, Go, Python or a shell; size is 0 if s begins with none.
func backslashed(s string) (r rune, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case 'u':
		return hexRune(s, 2, 4)
	case 'U':
		return hexRune(s, 2, 8)
	case 'x':
		return hexRune(s, 2, 2)
	case 'a', 'b', 'f', 'n', 'r', 't', 'v':
		return '\n', 2
	}
	return 0, 0
}

// hexRune reads a character as hexadecimal digits at s[at:]; size includes the bytes before them and is
// 0 if there are not so many digits.
func hexRune(s string, at, digits int) (r rune, size int) {
	if len(s) < at+digits {
		return 0, 0
	}
	n, err := strconv.ParseUint(s[at:at+digits], 16, 31)
	if err != nil {
		return 0, 0
	}
	return rune(n), at + digits
}

// entity reads a character reference of HTML; size is 0 if s begins with none.
func entity(s string) (r rune, size int) {
	end := strings.IndexByte(s[:min(len(s), 12)], ';')
	if end < 0 {
		return 0, 0
	}
	text := html.UnescapeString(s[:end+1])
	if r, size = utf8.DecodeRuneInString(text); size != len(text) {
		return 0, 0
	}
	return r, end + 1
}

// isInvisible reports whether a character has no glyph of its own.
func isInvisible(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0: // fillers and blanks that count as letters or signs
		return true
	}
	if r > 0x3000 && r < 0xA000 { // Kana and Han, of which there may be much
		return false
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Mn)
}

// viewOf returns the view of a whole text.
func viewOf(s string) []byte { return (&viewReader{}).all(s) }

// all returns the view of a whole text.
func (v *viewReader) all(s string) []byte {
	view := make([]byte, 0, len(s))
	for i, size := 0, 0; i < len(s); i += size {
		view, size = v.unit(view, s, i)
	}
	return view
}
