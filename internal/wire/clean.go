package wire

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanLine returns a server's text as one line that is safe for a terminal. White space becomes one
// space. Invisible and control characters become escapes. A text of more than max characters
// is cut and ends in "…"; an escape counts as one character.
func CleanLine(s string, max int) string {
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
