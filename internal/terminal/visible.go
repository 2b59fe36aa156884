package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s as one line that is safe to print on a terminal and hides
// nothing: whatever a model, a server or a file put into it, the result holds no
// control character, no character that moves or reorders its neighbours and no
// invalid UTF-8. What has no picture of its own is named instead:
//
//	␀ … ␛ … ␡    control characters of ASCII, ␊ for a line feed and ␉ for a tab
//	«U+200B»     other characters that cannot be seen: zero-width ones, spaces
//	             other than the ASCII one, bidirectional controls, unassigned
//	             ones, fillers, and the symbols ␀ … ␡ themselves
//	⟨FF⟩         a byte that is not UTF-8
//
// A combining mark stays on its letter, up to three of them; more are named,
// since a tower of marks covers the lines around it.
func Visible(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	marks := maxMarks // no letter yet that could carry one
	for len(s) > 0 {
		r, size := DecodeRune(s)
		switch {
		case r >= 0 && unicode.Is(unicode.M, r) && unicode.IsPrint(r) && !hidden(r) && marks < maxMarks:
			marks++
			b.WriteRune(r)
		default:
			picture := Symbol(r)
			if marks = 0; picture != s[:size] {
				marks = maxMarks
			}
			b.WriteString(picture)
		}
		s = s[size:]
	}
	return b.String()
}

// maxMarks is how many combining marks may stand on one letter.
const maxMarks = 3

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// SafeLine returns s as one line that is safe to print, for text of which parts may
// have passed through Visible: it names what Visible names, and leaves the symbols
// that Visible writes as they are. It changes nothing when it is applied again.
func SafeLine(s string) string {
	if isASCII(s) {
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

// printable reports whether a code point, or a byte, that decode returned can be
// printed as it is: no terminal obeys it, and it moves none of its neighbours.
func printable(r rune) bool { return r >= ' ' && r <= '~' || r > '~' && unicode.IsPrint(r) }

// DecodeRune returns the first code point of s, which is not empty, and its size. A
// byte that is not UTF-8 is returned as -1 minus its value; a lone surrogate in
// the form that UTF-8 would have given it (WTF-8) as itself.
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

// Symbol returns what stands for the code point, or for the byte, that decode
// returned: itself where it can be seen standing alone.
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

// hidden reports whether r is one of the characters that Unicode counts as
// printable and that look like nothing, or like a symbol that this package gives
// a meaning of its own.
func hidden(r rune) bool {
	switch {
	case r >= '␀' && r <= '␡':
		return true
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0: // Hangul fillers
		return true
	case r == 0x2800: // the empty Braille pattern
		return true
	case r == 0x034F, r == 0x17B4, r == 0x17B5: // joiner and inherent vowels
		return true
	case r >= 0x180B && r <= 0x180F: // Mongolian variation selectors
		return true
	}
	return false
}
