package earlier

import (
	"slices"
	"strings"

	"verbatim"
)

// Grade returns the label, the detail and the flags of a grade in the words of version 5. The cause
// of a wrapped answer replaces the label wrapped. The detail tells the cause, except that of a
// truncated reply, whose cause counts as explained.
func Grade(label, detail string, flags []string) (newLabel, newDetail string, newFlags []string) {
	newLabel, newDetail, newFlags = labelOf(label, detail), detail, flags
	if label == "reasoning_leak" { // the detail is another label, which its own detail may follow
		rest, more, both := strings.Cut(detail, ": ")
		if newDetail = labelOf(rest, more); both {
			newDetail += ": " + more
		}
	}
	if i := slices.Index(flags, "limit"); i >= 0 {
		newFlags = slices.Clone(flags)
		newFlags[i] = "truncated"
	}
	return newLabel, newDetail, newFlags
}

func labelOf(label, detail string) string {
	switch label {
	case "truncated":
		return "cut_short"
	case "wrapped":
		switch {
		case strings.Contains(detail, "items cast"):
			return "coerced"
		case detail == "talk around the list", detail == "prefix", detail == "diverged",
			strings.Contains(detail, "comments"), strings.Contains(strings.ToLower(detail), "content"):
			return "explained"
		}
		return "reformatted"
	}
	return label
}

// Outcome returns an outcome in the words of version 5.
func Outcome(outcome verbatim.Outcome) verbatim.Outcome {
	if outcome == "limit" {
		return verbatim.Truncated
	}
	return outcome
}

// Labels returns the labels that replace a label; the label itself if it was not renamed.
func Labels(label string) []string {
	switch label {
	case "truncated":
		return []string{"cut_short"}
	case "wrapped":
		return []string{"explained", "coerced", "reformatted"}
	}
	return []string{label}
}

// Metric returns the name of a metric in the words of version 5.
func Metric(name string) string {
	if name == "payload" {
		return "extracted"
	}
	return name
}
