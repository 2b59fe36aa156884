package damage

import "slices"

// Spoilers returns a spoiler for every failure label of the named grader; nil for a grader that does not exist.
func Spoilers(grader string) []Spoiler {
	switch grader {
	case "text", "text-raw":
		return textSpoilers(grader, wrappings, markup, explanation, textForeseen(), forms, separated, textMistakes, declined, nonAnswers)
	case "json":
		return jsonSpoilers()
	case "integer":
		return textSpoilers(grader, wrappings, markup, explanation, textForeseen(), arithmetic, countedNumber, digitSlip, forms, textMistakes, declined, nonAnswers)
	case "integer-reference":
		return textSpoilers(grader, wrappings, arithmetic, digitSlip, explanation, forms, declined, textMistakes)
	case "list", "sortbench", "sortbench-reference":
		return listSpoilers(grader)
	}
	return nil
}

// Graders returns the names of the graders that have spoilers.
func Graders() []string {
	return []string{"text", "list", "sortbench", "sortbench-reference", "integer", "integer-reference", "text-raw", "json"}
}

// IsWrapping reports whether a label is that of a reply whose answer is right, with
// text around it.
func IsWrapping(label string) bool {
	return slices.Contains([]string{"quoted", "fenced", "marked_up", "explained"}, label)
}
