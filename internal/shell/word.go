// Package shell writes commands that a person can paste into a POSIX shell. Words that
// come from outside are quoted, so that a shell reads each back as one word and
// obeys nothing in it, and a terminal that prints the command obeys nothing either.
package shell

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word quotes a word where a shell needs that. A word that holds what cannot be
// printed is written as $'…' with octal escapes, which bash, zsh, ksh and POSIX of 2024
// read.
func Word(w string) string {
	switch {
	case w == "":
		return "''"
	case plain(w):
		return w
	case printable(w):
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return "$'" + escaped(w) + "'"
}

// Words quotes words and joins them with spaces.
func Words(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Word(w)
	}
	return strings.Join(quoted, " ")
}

// plain reports whether every shell reads the word as itself without quotes. zsh
// takes a word that begins with = for the path of a command.
func plain(w string) bool {
	for i := range len(w) {
		c := w[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && !strings.ContainsRune("@%+=:,./_-", rune(c)) {
			return false
		}
	}
	return w[0] != '='
}

// printable reports whether the word can be printed as it is.
func printable(w string) bool {
	for _, r := range w {
		if !seen(r) {
			return false
		}
	}
	return utf8.ValidString(w)
}

// seen reports whether a character has a picture of its own and moves no other.
// Fillers count as letters in Unicode and are drawn as nothing.
func seen(r rune) bool {
	switch r {
	case 0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800:
		return false
	}
	return unicode.IsPrint(r) && !unicode.Is(unicode.M, r)
}

// escaped writes the word for the inside of $'…'.
func escaped(w string) string {
	var b strings.Builder
	for len(w) > 0 {
		r, size := utf8.DecodeRuneInString(w)
		switch {
		case r == utf8.RuneError && size == 1, !seen(r), r == '!': // ! recalls an older command
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
