package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word returns a text of another program as a part of a name: at most 60 characters, with
// underscores for white space, slashes and characters that a terminal obeys or does not show.
func Word(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > 60 {
			break
		}
		if r == '/' || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			r = '_'
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "_"
	}
	return b.String()
}

// fileWord is Word for a file name on any system.
func fileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"<>:|\?*`, r) {
			return '_'
		}
		return r
	}, Word(s))
}

// digest returns the first 12 hexadecimal digits of a SHA-256.
func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:6])
}
