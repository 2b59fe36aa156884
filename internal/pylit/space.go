package pylit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Strip returns s without the white space at both ends, as Python's str.strip()
// does. Unlike strings.TrimSpace it also removes U+001C to U+001F, which are
// separators to Python.
func Strip(s string) string { return strings.TrimFunc(s, isSpace) }

// isSpace reports whether r is white space to Python's str.isspace().
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// codePoints counts the code points of a WTF-8 string, a lone surrogate as one.
func codePoints(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// codePoint decodes the first code point of a string that is not empty: a rune, or
// a lone surrogate from its three bytes. A byte of neither becomes
// a surrogate from U+DC80 to U+DCFF, as with Python's surrogateescape.
func codePoint(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	if len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return 0xdc00 | rune(s[0]), 1
}

// appendCodePoint is the reverse of codePoint for code points up to U+10FFFF.
func appendCodePoint(dst []byte, r rune) []byte {
	if r >= 0xd800 && r <= 0xdfff {
		return append(dst, 0xed, 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(dst, r)
}

// DropLast returns s without its last code point: Python's s[:-1].
func DropLast(s string) string {
	for n := min(utf8.UTFMax, len(s)); n > 1; n-- {
		if _, size := codePoint(s[len(s)-n:]); size == n {
			return s[:len(s)-n]
		}
	}
	return s[:max(0, len(s)-1)]
}
