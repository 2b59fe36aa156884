package modeltest

import (
	"fmt"
	"unicode/utf8"
)

// JSONText writes s as a JSON string for exactly these bytes. Bytes that are not UTF-8 are written as
// they are. Halves of surrogate pairs, in the encoding of three bytes, are written as escapes.
func JSONText(s string) string {
	b := append(make([]byte, 0, len(s)+2), '"')
	for len(s) > 0 {
		// Most bytes of long texts are plain.
		plain := 0
		for plain < len(s) && s[plain] >= ' ' && s[plain] < 0x7F && s[plain] != '"' && s[plain] != '\\' {
			plain++
		}
		b = append(b, s[:plain]...)
		if s = s[plain:]; s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80:
			size = 3
			b = fmt.Appendf(b, `\u%04x`, 0xD000|int(s[1]&0x3F)<<6|int(s[2]&0x3F))
		case r < 0x20:
			b = fmt.Appendf(b, `\u%04x`, r)
		case r == '"' || r == '\\':
			b = append(b, '\\', s[0])
		default:
			b = append(b, s[:size]...)
		}
		s = s[size:]
	}
	return string(append(b, '"'))
}
