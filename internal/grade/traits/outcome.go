package traits

import (
	"strings"

	"verbatim"
)

// Outcome returns the outcome of a reply with the label. wrapped: its answer is right, but the reply is
// not exact.
func Outcome(exact, wrapped bool, label string, finish verbatim.Finish) verbatim.Outcome {
	switch {
	case exact:
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

// TruncatedDetail returns the detail of a wrong reply that the token limit ended.
func TruncatedDetail(mayBecomeRight bool) string {
	if mayBecomeRight {
		return "prefix"
	}
	return "diverged"
}

// Around returns the detail of a right answer, text[start:end], by the sides on which words are around it.
func Around(text string, start, end int) string {
	before, after := strings.TrimSpace(text[:start]) != "", strings.TrimSpace(text[end:]) != ""
	switch {
	case before && after:
		return "preamble trailer"
	case before:
		return "preamble"
	}
	return "trailer"
}

// One returns 1 for true and 0 for false.
func One(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// The labels that every kind of answer shares.
const (
	LabelPass    = "pass"
	LabelLeak    = "reasoning_leak"
	LabelEmpty   = "empty"
	LabelRefusal = "refusal"
	LabelQuoted  = "quoted"
	LabelFenced  = "fenced"
	LabelMarked  = "marked_up"
	LabelExplain = "explained"
	LabelCode    = "code"
	LabelLooped  = "looped"
	LabelEcho    = "echo"
	LabelTalk    = "talk"
)

// MarkedUp returns the label of a right answer inside markup.
func MarkedUp() Label {
	return Label{Name: LabelMarked, Meaning: "The right answer, inside markup without words: bold type, LaTeX, tags, JSON, a bullet, an assignment.", Example: "`**K7mQp2Zx**`"}
}

// NonAnswers returns the labels of replies without an answer, apart from refusal.
func NonAnswers() []Label {
	return []Label{
		{Name: LabelCode, Meaning: "The reply is a program, or a line of one, that would compute the answer.", Example: "`print(text[::-1])`"},
		{Name: LabelEcho, Meaning: "There is no answer: the input or the question is given back, alone or among few other words.", Example: "`You gave me the text xZ2pQm7K.`"},
		{Name: LabelTalk, Meaning: "The reply talks and commits to no answer.", Example: "`Let me look at it.`"},
	}
}

// A Label is a name for what is wrong with an answer.
type Label struct {
	Name    string // as it is stored and printed
	Meaning string // one sentence for readers who see it for the first time
	Example string // in Markdown: a reply to the item of the table in docs/glossary.md
	// Splits is the older label whose replies this one describes more exactly; "" for most labels. It is
	// tested last, on replies with the older label, so that outcome, answer and detail stay as they are.
	Splits string
}
