package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secrets are looked for in a view of a text in which the ways to write one are
// one way: letters are small, base64 for URLs is ordinary base64, escapes are what
// they stand for, and what separates or does not show is left out.

// What viewTable says of a byte, if not what it is in the view.
const (
	leftOut  = 0
	composed = 1 // the bytes after it decide: see viewReader.unit
)

// viewTable says what each byte is in the view.
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
			t[i] = composed // escapes, masks, and the first bytes of characters that do not show
		default:
			t[i] = c
		}
	}
	return t
}

// A viewReader reads the view of a text. A text may have two: one in which escapes
// are what they stand for, and one in which they are what they are, for a password
// may look like one.
type viewReader struct {
	literal bool // the second
	escaped bool // there was an escape
	masked  bool // there may have been a mask
}

// unit appends what the view has for what begins at s[i], and returns how many
// bytes of s that is.
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

// viewByte returns what the view has for a byte that is no part of an escape.
func viewByte(dst []byte, b byte) []byte {
	switch c := viewTable[b]; {
	case c > composed:
		return append(dst, c)
	case c == leftOut || b == '\\':
		return dst
	}
	return append(dst, b)
}

// backslashed reads an escape of JSON, Go, Python or a shell; size is 0 without one.
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

// hexRune reads a number of hexadecimal digits at s[at:].
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

// entity reads a character reference of HTML.
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

// isInvisible reports whether a character shows nothing of its own.
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
