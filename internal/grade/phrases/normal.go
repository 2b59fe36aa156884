package phrases

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// Normal returns words in lower case with single spaces, without the marks of Markdown.
func Normal(t string) string {
	b := make([]byte, 0, len(t))
	for i := range len(t) {
		switch c := t[i]; {
		case c >= utf8.RuneSelf:
			return normalAny(t)
		case c == '*' || c == '#' || c == '`' || c == '"' || c == '_':
		case Blank(rune(c)):
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		default:
			b = append(b, c)
		}
	}
	return string(bytes.TrimSuffix(b, []byte(" ")))
}

// normalAny is Normal for a text that is not ASCII.
func normalAny(t string) string {
	var b strings.Builder
	space := true
	for _, r := range t {
		switch {
		case r == '*' || r == '#' || r == '`' || r == '"' || r == '“' || r == '”' || r == '_':
			continue
		case Blank(r):
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		case r == '’' || r == '‘':
			r = '\''
		}
		b.WriteRune(r)
		space = false
	}
	return strings.ToLower(strings.TrimSuffix(b.String(), " "))
}

// Tail returns at most n bytes at the end of t, in whole characters.
func Tail(t string, n int) string {
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

// Blank reports whether r is white space, or a mark that is invisible.
func Blank(r rune) bool { return runes.IsSpace(r) || r == '\ufeff' || r == '\u200b' }

// EndsInColon reports whether t ends in a colon, or in another mark that is before an answer.
func EndsInColon(t string) bool {
	t = strings.TrimRight(t, " *_`\"'$\\(")
	for _, l := range [...]string{":", "：", "=", "→", "->", "=>", "⇒"} {
		if strings.HasSuffix(t, l) {
			return true
		}
	}
	return false
}

// Colon returns where the first colon of a text is and ends; 0 and 0 without one.
func Colon(t string) (at, end int) {
	for i := 0; i < len(t); i++ {
		switch {
		case t[i] == ':':
			return i, i + 1
		case t[i] == "："[0] && strings.HasPrefix(t[i:], "："):
			return i, i + len("：")
		}
	}
	return 0, 0
}

// southEast reports whether r is Thai, Lao, Burmese or Khmer.
func southEast(r rune) bool {
	return r >= 0x0e00 && (r <= 0x0eff || r >= 0x1000 && r <= 0x109f || r >= 0x1780 && r <= 0x17ff)
}

// Unspaced reports whether r is of a script without spaces between words.
func Unspaced(r rune) bool {
	return southEast(r) || r >= 0x2e80 && r < 0x1f000 && r != utf8.RuneError && !(0xff10 <= r && r <= 0xff5a)
}
