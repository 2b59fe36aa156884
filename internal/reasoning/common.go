package reasoning

import (
	"strings"

	"verbatim"
)

// common returns the tags that models write around their reasoning, which are in a reply if the server does
// not remove them.
func common() []Tags {
	return []Tags{
		{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"}, {"<reasoning>", "</reasoning>"},
		{"◁think▷", "◁/think▷"}, {"[THINK]", "[/THINK]"}, {"<|channel|>analysis", "<|channel|>final<|message|>"},
	}
}

// A State says whether a text begins with reasoning.
type State int

// The states.
const (
	Absent State = iota
	Closed       // the reasoning ends in the text
	Open         // the reasoning does not end
)

// Cut returns where the answer begins in a text that may begin with reasoning: behind the
// last closing tag. A </think> without an opening tag counts, too, since some servers put
// the opening tag into the prompt.
func Cut(text string) (start int, state State) {
	tags, ok := opening(text)
	if ok {
		at := strings.Index(text, tags.Open) + len(tags.Open)
		if i := strings.LastIndex(text[at:], tags.Close); i >= 0 {
			return at + i + len(tags.Close), Closed
		}
		return 0, Open
	}
	const end = "</think>"
	if !strings.Contains(text, end) { // faster than LastIndex
		return 0, Absent
	}
	return strings.LastIndex(text, end) + len(end), Closed
}

// End returns where the reasoning between common tags ends that a text begins with, as
// SplitCommon does; 0 without such reasoning, and if it is not closed.
func End(text string) int {
	tags, ok := opening(text)
	if !ok {
		return 0
	}
	at := strings.Index(text, tags.Close)
	if at < 0 {
		return 0
	}
	return at + len(tags.Close)
}

// Of returns the reasoning of a reply: what the server sent apart from the text, or what is
// between common tags at the start of the text; "" without reasoning, and if it is not closed.
func Of(r *verbatim.Reply) string {
	if r.Reasoning != "" {
		return r.Reasoning
	}
	tags, ok := opening(r.Text)
	if !ok {
		return ""
	}
	_, rest, _ := strings.Cut(r.Text, tags.Open)
	text, _, closed := strings.Cut(rest, tags.Close)
	if !closed {
		return ""
	}
	return strings.TrimSpace(text)
}

// opening returns the common tags whose opening one a text begins with.
func opening(text string) (Tags, bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.IndexByte("<[◁", text[0]) < 0 { // the first bytes of the tags
		return Tags{}, false
	}
	for _, tags := range common() {
		if strings.HasPrefix(text, tags.Open) {
			return tags, true
		}
	}
	return Tags{}, false
}
