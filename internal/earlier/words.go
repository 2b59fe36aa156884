package earlier

import (
	"slices"
	"strings"

	"verbatim"
)

// Grade returns the label, the detail and the flags of a grade in the words of
// version 5. The label wrapped is replaced by its cause, which the detail names. The
// grade of a truncated reply has another detail, so its cause is taken as explained.
func Grade(label, detail string, flags []string) (newLabel, newDetail string, newFlags []string) {
	newLabel, newDetail, newFlags = labelOf(label, detail), detail, flags
	if label == "reasoning_leak" { // the detail is the label of the rest, or that and its detail
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

// Labels returns the present labels for a label that a user names; a label that was not
// renamed is the only one.
func Labels(label string) []string {
	switch label {
	case "truncated":
		return []string{"cut_short"}
	case "wrapped":
		return []string{"explained", "coerced", "reformatted"}
	}
	return []string{label}
}

// Metric returns the present name of a metric.
func Metric(name string) string {
	if name == "payload" {
		return "extracted"
	}
	return name
}
