package traits

import (
	"verbatim"
)

// outcome is the first that holds, whatever the kind of answer.
func Outcome(strict, wrapped bool, label string, finish verbatim.Finish) verbatim.Outcome {
	switch {
	case strict:
		return verbatim.Pass
	case finish == verbatim.FinishFilter, finish == verbatim.FinishRefusal, label == LabelRefusal:
		return verbatim.Refused
	case finish == verbatim.FinishLength:
		return verbatim.Truncated
	case wrapped:
		return verbatim.Wrapped
	}
	return verbatim.Wrong
}

// The labels that every kind of answer shares.
const (
	LabelPass    = "pass"
	LabelLeak    = "reasoning_leak"
	LabelEmpty   = "empty"
	LabelRefusal = "refusal"
)
