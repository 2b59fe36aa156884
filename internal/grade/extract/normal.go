package extract

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// NormalText returns a text in lower case with single spaces, without the marks of Markdown.
func NormalText(t string) string {
	b := make([]byte, 0, len(t))
	for _, r := range t {
		switch {
		case r < utf8.RuneSelf && class[r] == plainByte:
			b = append(b, byte(r))
		case r < utf8.RuneSelf && class[r] == upperByte:
			b = append(b, byte(r)+'a'-'A')
		case r < utf8.RuneSelf && class[r] == markByte, r == '“', r == '”':
		case isBlank(r):
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		case r == '’', r == '‘':
			b = append(b, '\'')
		default:
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
	}
	return string(bytes.TrimSuffix(b, []byte(" ")))
}

// tail returns at most n bytes at the end of t, in whole characters.
func tail(t string, n int) string {
	i := max(0, len(t)-n)
	for i > 0 && i < len(t) && !utf8.RuneStart(t[i]) {
		i++
	}
	return t[i:]
}

// Head returns at most n bytes at the start of t, in whole characters.
func Head(t string, n int) string {
	if len(t) <= n {
		return t
	}
	for n > 0 && !utf8.RuneStart(t[n]) {
		n--
	}
	return t[:n]
}

// isBlank reports whether r is white space, or invisible as a byte order mark or a zero-width space.
func isBlank(r rune) bool { return runes.IsSpace(r) || r == '\ufeff' || r == '\u200b' }

// endsInColon reports whether t ends in a colon, or in another mark that is used before an answer.
func endsInColon(t string) bool {
	t = strings.TrimRight(t, " *_`\"'$\\(")
	marks := [...]string{":", "：", "=", "→", "->", "=>", "⇒"}
	return slices.ContainsFunc(marks[:], func(mark string) bool { return strings.HasSuffix(t, mark) })
}

// findColon returns where the first colon of a text begins and ends; 0 and 0 without one.
func findColon(t string) (at, end int) {
	at = strings.IndexAny(t, ":：")
	if at < 0 {
		return 0, 0
	}
	_, size := utf8.DecodeRuneInString(t[at:])
	return at, at + size
}

// southEast reports whether r is Thai, Lao, Burmese or Khmer.
func southEast(r rune) bool {
	return r >= 0x0e00 && (r <= 0x0eff || r >= 0x1000 && r <= 0x109f || r >= 0x1780 && r <= 0x17ff)
}

// unspaced reports whether r belongs to a script without spaces between words.
func unspaced(r rune) bool {
	return southEast(r) || r >= 0x2e80 && r < 0x1f000 && r != utf8.RuneError && !(0xff10 <= r && r <= 0xff5a)
}
