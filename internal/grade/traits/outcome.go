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

// A Label is a name for what is wrong with an answer.
type Label struct {
	Name    string // as it is stored and printed
	Meaning string // one sentence for readers who see it for the first time
	Example string // in Markdown: a reply to the item of the table in docs/glossary.md
}
