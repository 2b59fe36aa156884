package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellWord quotes a word if a shell needs that. A word with characters that cannot be printed is written as
// $'…' with octal escapes, which bash, zsh, ksh and POSIX of 2024 read.
func ShellWord(w string) string {
	switch {
	case w == "":
		return "''"
	case isPlain(w):
		return w
	case utf8.ValidString(w) && !strings.ContainsFunc(w, isInvisible):
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return "$'" + escaped(w) + "'"
}

// ShellWords quotes words and joins them with spaces.
func ShellWords(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellWord(w)
	}
	return strings.Join(quoted, " ")
}

// isPlain reports whether every shell reads the word as itself without quotes. To zsh a word that
// begins with = is the path of a command.
func isPlain(w string) bool {
	for i := range len(w) {
		c := w[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("@%+=:,./_-", rune(c)) {
			return false
		}
	}
	return w[0] != '='
}

// isInvisible reports whether a character has no glyph of its own: control characters, combining marks,
// and fillers, which are letters in Unicode and drawn as nothing.
func isInvisible(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800:
		return true
	}
	return !unicode.IsPrint(r) || unicode.Is(unicode.M, r)
}

// escaped returns the word in the form for the inside of $'…'.
func escaped(w string) string {
	var b strings.Builder
	for len(w) > 0 {
		r, size := utf8.DecodeRuneInString(w)
		switch {
		case r == utf8.RuneError && size == 1, isInvisible(r), r == '!': // ! recalls an older command
			for _, c := range []byte(w[:size]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == '\'' || r == '\\':
			b.WriteString(`\` + w[:size])
		default:
			b.WriteString(w[:size])
		}
		w = w[size:]
	}
	return b.String()
}
