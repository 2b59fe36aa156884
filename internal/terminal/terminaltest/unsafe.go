// Package terminaltest checks printed text in tests.
package terminaltest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unsafe names the first thing in s that must never reach a terminal: a control character other
// than line feeds and colours, a character that reorders or hides others, or invalid UTF-8. It is
// empty if s is safe.
func Unsafe(s string) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	rest := s
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		if n := colorLength(rest); n > 0 {
			rest = rest[n:]
			continue
		}
		if r != '\n' && !unicode.IsPrint(r) {
			return fmt.Sprintf("U+%04X", r)
		}
		rest = rest[size:]
	}
	return ""
}

// colorLength returns the length of the SGR sequence at the start of s; 0 without one.
func colorLength(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// WithoutColor removes the SGR sequences.
func WithoutColor(s string) string {
	var b strings.Builder
	for s != "" {
		if n := colorLength(s); n > 0 {
			s = s[n:]
			continue
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}

// TrimLineEnds removes the spaces at the ends of lines.
func TrimLineEnds(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
