package reasoning

import (
	"strings"
	"unicode/utf8"

	"verbatim"
)

// shortestLine is the number of characters of the shortest line that counts as repeated,
// without white space at its ends.
const shortestLine = 12

// MeasureMarks counts the marks of a text. Its time is proportional to the length of the text.
//
// A second thought is a phrase of secondThoughts. A repeated line is equal to one
// above it. A language switch is a sentence in another language than the last one
// whose language is known.
func MeasureMarks(text string) verbatim.ReasoningMarks {
	m := verbatim.ReasoningMarks{Characters: int64(utf8.RuneCountInString(text))}
	seen := map[string]bool{}
	phrases, languages := phraseCounters(), languageFinders()
	var words []string
	last := "" // language
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if utf8.RuneCountInString(line) >= shortestLine {
			if seen[line] {
				m.RepeatedLines++
			}
			seen[line] = true
		}
		for sentence := range sentences(line) {
			words = appendWords(words[:0], sentence)
			m.SecondThoughts += phrases.count(words)
			if language := languages.language(words); language != "" {
				if last != "" && language != last {
					m.LanguageSwitches++
				}
				last = language
			}
		}
	}
	return m
}
