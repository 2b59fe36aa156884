package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word returns a word for names from another program's text: without white space,
// slashes and characters that a terminal would obey or not show, at most 60 characters.
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

// FileWord returns a word that names a file on every system.
func FileWord(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"<>:|\?*`, r) {
			return '_'
		}
		return r
	}, Word(s))
}

// Digest names content by 12 hexadecimal digits of its SHA-256.
func Digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:6])
}
