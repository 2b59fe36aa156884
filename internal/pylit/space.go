package pylit

import "unicode/utf8"

// Strip returns s without the white space at both ends, as Python's str.strip()
// does. Unlike strings.TrimSpace it takes U+001C to U+001F for space, which are
// separators to Python.
func Strip(s string) string {
	start, end := 0, len(s)
	for start < end {
		n := leadingSpace(s[start:end])
		if n == 0 {
			break
		}
		start += n
	}
	for start < end {
		n := trailingSpace(s[start:end])
		if n == 0 {
			break
		}
		end -= n
	}
	return s[start:end]
}

// IsSpace reports whether r is white space to Python's str.isspace().
func IsSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f
	}
	switch r {
	case 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

func leadingSpace(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if !IsSpace(r) {
		return 0
	}
	return n
}

func trailingSpace(s string) int {
	r, n := utf8.DecodeLastRuneInString(s)
	if !IsSpace(r) {
		return 0
	}
	return n
}

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

// codePoint decodes the first code point of a string that is not empty: a rune,
// a lone surrogate from its three bytes, or, for a byte that belongs to neither,
// the surrogate U+DC80 to U+DCFF that Python's surrogateescape makes of it.
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
