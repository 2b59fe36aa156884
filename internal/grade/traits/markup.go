package traits

import (
	"strings"
	"unicode"

	"verbatim/internal/lazyregexp"
)

// markup are the commands of LaTeX and tags: they are no words.
var markup = lazyregexp.New(`\\[A-Za-z]+|</?[A-Za-z][\w-]*(\s[^<>]*)?/?>|<\|[^<>|]*\|>`)

// IsMarkup reports whether what is around an answer is markup and no words: also a calculation in LaTeX, but
// no other one.
func IsMarkup(around string) bool {
	if strings.Trim(around, " .!?\n") == "" {
		return false
	}
	rest := around
	if strings.ContainsAny(around, "<\\") {
		rest = markup.ReplaceAllString(around, "")
	}
	return !strings.ContainsFunc(rest, unicode.IsLetter) && (len(rest) < len(around) || !strings.ContainsFunc(rest, unicode.IsNumber))
}
