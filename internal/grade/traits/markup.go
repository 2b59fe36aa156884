package traits

import (
	"regexp"
	"strings"
	"unicode"
)

// markup matches commands of LaTeX and tags.
var markup = regexp.MustCompile(`\\[A-Za-z]+|</?[A-Za-z][\w-]*(\s[^<>]*)?/?>|<\|[^<>|]*\|>`)

// IsMarkup reports whether the text around an answer is markup without words. A calculation in LaTeX is
// markup, any other one is not.
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
