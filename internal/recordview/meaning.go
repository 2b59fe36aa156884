package recordview

import (
	"strings"

	"verbatim/internal/grade"
)

// FlagMeaning says in a few words what a flag of a reply means; "" for an unknown flag. The glossary
// has more.
func FlagMeaning(flag string) string {
	switch flag {
	case "critical":
		return "over 120 % of the expected length"
	case "foreign_script":
		return "letters of a script that the expected answer does not have"
	case "invalid_utf8":
		return "bytes that are not UTF-8"
	case "loop":
		return "the reply ends in a loop"
	case "open_reasoning":
		return "<think> without its end"
	case "replacement_char":
		return "U+FFFD in the reply"
	case "secret_removed":
		return "a secret was removed from the reply"
	case "truncated":
		return "stopped by the token limit"
	}
	return ""
}

// measureMeaning says in words what a measure with a short name is; "" for other measures.
func measureMeaning(measure string) string {
	switch measure {
	case "ned":
		return "normalized edit distance: 0 is equal, 1 entirely different"
	case "lcp":
		return "longest common prefix"
	}
	return ""
}

// detailMeaning says what the detail of a truncated reply means; "" for other details.
func detailMeaning(detail string) string {
	switch detail {
	case "prefix":
		return "What it wrote was right so far."
	case "diverged":
		return "What it wrote was wrong before that."
	}
	return ""
}

// DetailTerms explains the terms in the details of failures, each once, in the order of their
// first use.
func DetailTerms(details []string) (terms []string) {
	seen := map[string]bool{}
	for _, detail := range details {
		meaning := detailMeaning(detail)
		term, _, _ := strings.Cut(detail, " ")
		if meaning == "" {
			meaning = measureMeaning(term)
		}
		if meaning != "" && !seen[term] {
			seen[term] = true
			terms = append(terms, term+": "+strings.TrimSuffix(strings.ToLower(meaning[:1])+meaning[1:], "."))
		}
	}
	return terms
}

// Explain says in one sentence what a label of a grade means. It is empty for an unknown label, such
// as that of a newer grader in an imported file.
func Explain(label string) string { return grade.Meaning(label) }
