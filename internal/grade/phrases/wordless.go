package phrases

import (
	"slices"
	"strings"
	"unicode"

	"verbatim/internal/grade/runes"
)

// IsWordless reports whether a reply of several lines is no talk: none of them has three words, and
// at most a half of what they have is words. Words are letters, of scripts with spaces.
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
			if strings.ContainsFunc(field, Unspaced) {
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

// IsInterjection reports whether a reply is only a word such as "Sure" that announces an answer.
func IsInterjection(reply string) bool {
	return slices.Contains(Interjections, strings.ToLower(strings.Trim(reply, " .!¡*")))
}

// IsRule reports whether t is nothing but signs that lines are drawn with.
func IsRule(t string) bool {
	for _, r := range t {
		switch r {
		case '-', '=', '*', '_', '#', '~', '.', '…':
		default:
			return false
		}
	}
	return true
}
