package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nextSentence returns where the sentence after the one that begins at from begins.
func nextSentence(t string, from int) int {
	at := sentenceEnd(t, from)
	for at < len(t) && (t[at] == ' ' || t[at] == '\t') {
		at++
	}
	return at
}

// sentenceEnd returns where the sentence of t that begins at from ends.
func sentenceEnd(t string, from int) int {
	for i := from; i < len(t); i++ {
		switch c := t[i]; c {
		case '.', '!', '?':
			j := i + 1
			for j < len(t) && strings.IndexByte("*_\"'`)", t[j]) >= 0 {
				j++
			}
			if j < len(t) && t[j] != ' ' && t[j] != '\t' || c == '.' && abbreviated(t[from:i]) {
				continue
			}
			return j
		case 0xe3, 0xef:
			for _, stop := range [...]string{"。", "！", "？"} {
				if strings.HasPrefix(t[i:], stop) {
					return i + len(stop)
				}
			}
		}
	}
	return len(t)
}

// abbreviated reports whether a full stop after t does not end a sentence: "1." at its start, "e.g.".
func abbreviated(t string) bool {
	if u := strings.TrimLeft(tail(t, 8), " *-•\t#"); len(u) <= 3 && len(t) < 8 && strings.Trim(u, "0123456789") == "" {
		return true
	}
	abbreviations := [...]string{"e.g", "i.e", " vs", "z.B", " No", "approx"}
	return slices.ContainsFunc(abbreviations[:], func(a string) bool { return strings.HasSuffix(t, a) })
}

// IsProse reports whether a text of a few words is a question, or a sentence in a script
// without spaces.
func IsProse(t string) bool {
	if strings.HasSuffix(t, "?") {
		return true
	}
	for _, stop := range [...]string{"。", "！", "？"} {
		if strings.HasSuffix(t, stop) {
			return strings.ContainsFunc(strings.TrimSuffix(t, stop), unspaced)
		}
	}
	return false
}

// isSentence reports whether a line is a sentence: several words that begin with a capital, or with a letter
// of a script without letter case, and end in a mark such as a full stop.
func isSentence(t string) bool {
	first, _ := utf8.DecodeRuneInString(t)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(t, " *_)\"'”"))
	if !unicode.IsLetter(first) || unicode.IsLower(first) || !strings.ContainsRune(".!?:。！？：", last) {
		return false
	}
	return first >= 0x2e80 || strings.IndexFunc(t, isBlank) > 0
}

// IsLetters reports whether a text is only letters and apostrophes.
func IsLetters(t string) bool {
	return t != "" && strings.IndexFunc(t, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) < 0
}
