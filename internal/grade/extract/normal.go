package extract

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// normal returns words in lower case with single spaces, without the marks of Markdown.
func normal(t string) string {
	b := make([]byte, 0, len(t))
	for i := range len(t) {
		switch c := t[i]; {
		case c >= utf8.RuneSelf:
			return normalAny(t)
		case c == '*' || c == '#' || c == '`' || c == '"' || c == '_':
		case blank(rune(c)):
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

// normalAny is normal for a text that is not ASCII.
func normalAny(t string) string {
	var b strings.Builder
	space := true
	for _, r := range t {
		switch {
		case r == '*' || r == '#' || r == '`' || r == '"' || r == '“' || r == '”' || r == '_':
			continue
		case blank(r):
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

// tail returns at most n bytes at the end of t, in whole characters.
func tail(t string, n int) string {
	i := max(0, len(t)-n)
	for i > 0 && i < len(t) && !utf8.RuneStart(t[i]) {
		i++
	}
	return t[i:]
}

// head returns at most n bytes at the start of t, in whole characters.
func head(t string, n int) string {
	if len(t) <= n {
		return t
	}
	for n > 0 && !utf8.RuneStart(t[n]) {
		n--
	}
	return t[:n]
}
