package extract

import (
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/grade/runes"
)

// IsWordless reports whether a reply of four lines or more is not talk: no line has three words, and
// at most half of its pieces between spaces are words. Words are only letters, of scripts with spaces.
func IsWordless(reply string) bool {
	const least = 4 // lines
	lines, words, all := 0, 0, 0
	for line := range strings.SplitSeq(Head(reply, 4000), "\n") {
		before := all
		here := 0
		for field := range strings.FieldsSeq(line) {
			field = strings.TrimFunc(field, func(r rune) bool { return !runes.IsAlnum(r) })
			if field == "" {
				continue
			}
			all++
			if strings.ContainsFunc(field, unspaced) {
				return false
			}
			if !strings.ContainsFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
				here++
			}
		}
		if here >= 3 {
			return false
		}
		words += here
		if all > before {
			lines++
		}
	}
	return lines >= least && 2*words <= all
}

// IsInterjection reports whether a reply is only an interjection such as "Sure", which announces an answer.
func IsInterjection(reply string) bool {
	return slices.Contains(interjections, strings.ToLower(strings.Trim(reply, " .!¡*")))
}

// isRule reports whether t is only signs that lines are drawn with.
func isRule(t string) bool { return strings.Trim(t, "-=*_#~.…") == "" }
