package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s as one line that is safe to print on a terminal and hides nothing. Whatever a
// model, a server or a file put into s, the result holds no control character, no character that
// moves or reorders its neighbours, and no invalid UTF-8. Characters that cannot be seen are named:
//
//	␀ … ␛ … ␡    control characters of ASCII, ␊ for a line feed and ␉ for a tab
//	«U+200B»     other characters that cannot be seen: zero-width ones, spaces
//	             other than the ASCII one, bidirectional controls, unassigned
//	             ones, fillers, and the symbols ␀ … ␡ themselves
//	⟨FF⟩         a byte that is not UTF-8
//
// Up to three combining marks stay on a letter. More are named, because a tower of marks covers
// the lines around it.
func Visible(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	marks := maxMarks // there is no letter yet for a mark
	for len(s) > 0 {
		r, size := DecodeRune(s)
		if marks < maxMarks && unicode.Is(unicode.M, r) && unicode.IsPrint(r) && !hidden(r) {
			marks++
			b.WriteRune(r)
		} else {
			symbol := Symbol(r)
			if marks = 0; symbol != s[:size] {
				marks = maxMarks
			}
			b.WriteString(symbol)
		}
		s = s[size:]
	}
	return b.String()
}

// maxMarks is the maximum number of combining marks on a letter.
const maxMarks = 3

// isPrintableASCII reports whether s has no other characters than printable ASCII.
func isPrintableASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// SafeLine returns s as one line that is safe to print, for text with parts that may have passed
// through Visible: it names unsafe characters as Visible does, and does not change the symbols that
// Visible writes. Applied again, it changes nothing.
func SafeLine(s string) string {
	if isPrintableASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	for len(s) > 0 {
		r, size := DecodeRune(s)
		if printable(r) {
			b.WriteString(s[:size])
		} else {
			b.WriteString(Symbol(r))
		}
		s = s[size:]
	}
	return b.String()
}

// printable reports whether a result of DecodeRune can be printed as it is: no terminal obeys it, and
// it moves no neighbour.
func printable(r rune) bool { return r >= ' ' && r <= '~' || r > '~' && unicode.IsPrint(r) }

// DecodeRune returns the first code point of s, which must not be empty, and its size. A byte that
// is not UTF-8 is returned as -1 minus its value. A lone surrogate, in the form that UTF-8 would
// give it (WTF-8), is returned as itself.
func DecodeRune(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size > 1 {
		return r, size
	}
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2] >= 0x80 && s[2] <= 0xBF {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return -1 - rune(s[0]), 1
}

// Symbol returns a visible text for a result of DecodeRune: the character itself, if it can be seen
// alone.
func Symbol(r rune) string {
	switch {
	case r < 0:
		return fmt.Sprintf("⟨%02X⟩", -1-r)
	case r < ' ':
		return string('␀' + r)
	case r == 0x7F:
		return "␡"
	case !unicode.IsPrint(r), unicode.Is(unicode.M, r), hidden(r):
		return fmt.Sprintf("«U+%04X»", r)
	}
	return string(r)
}

// hidden reports whether r is printable by Unicode but cannot be seen, or looks like a symbol of this
// package.
func hidden(r rune) bool {
	switch {
	case r >= '␀' && r <= '␡',
		r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, // Hangul fillers
		r == 0x2800,                           // the empty Braille pattern
		r == 0x034F, r == 0x17B4, r == 0x17B5, // joiner and inherent vowels
		r >= 0x180B && r <= 0x180F: // Mongolian variation selectors
		return true
	}
	return false
}
