package reasoning

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"verbatim"
)

// Tags are what some models write around their reasoning, inside the text:
// "<think>" and "</think>". The zero value is no tags.
type Tags struct{ Open, Close string }

// ParseTags reads a pair of tags with a comma between them: "<think>,</think>".
func ParseTags(s string) (Tags, error) { return NewTags(strings.Split(s, ",")) }

// NewTags returns a pair of tags; an error unless they are two different texts of at most 200 bytes together.
func NewTags(pair []string) (Tags, error) {
	if len(pair) != 2 || pair[0] == "" || pair[1] == "" || pair[0] == pair[1] || len(pair[0]+pair[1]) > 200 {
		return Tags{}, errors.New("these are not two different tags")
	}
	return Tags{pair[0], pair[1]}, nil
}

// inText begins the ReasoningField of a reply whose reasoning was moved out of its text.
const inText = "text:"

// InText reports whether the reasoning of a reply was moved out of its text.
func InText(r *verbatim.Reply) bool { return strings.HasPrefix(r.ReasoningField, inText) }

// SplitCommon is Split with the common tags. A text must begin with an opening one.
func SplitCommon(r *verbatim.Reply) {
	if tags, ok := opening(r.Text); ok {
		tags.Split(r)
	}
}

// MayOpen reports whether a text of which this is the beginning may begin with a common tag.
func MayOpen(beginning string) bool {
	text := strings.TrimSpace(beginning)
	return slices.ContainsFunc(common(), func(t Tags) bool { return strings.HasPrefix(t.Open, text) || strings.HasPrefix(text, t.Open) })
}

// Split moves the reasoning of a reply out of its text, into its own field.
//
// All text up to and including the closing tag becomes Reasoning. Its ReasoningField is
// "text:" and the opening tag. Reasoning followed by Text is
// what the model wrote, byte for byte. The opening tag may be missing,
// since some servers put it into the prompt. A text that begins with it and never
// closes it is all reasoning. A reply whose reasoning the server sent separately is not
// changed.
func (t Tags) Split(r *verbatim.Reply) {
	if r.Reasoning != "" {
		return
	}
	end := len(r.Text)
	if at := strings.Index(r.Text, t.Close); at >= 0 {
		end = at + len(t.Close)
	} else if !strings.HasPrefix(strings.TrimSpace(r.Text), t.Open) {
		return
	}
	r.Reasoning, r.Text = r.Text[:end], r.Text[end:]
	r.ReasoningField = inText + t.Open
	// The first text was reasoning. When the answer began is unknown.
	r.Times.FirstReasoning, r.Times.FirstContent = r.Times.FirstContent, nil
}

// ContentStart returns where the answer begins in the text of a stream so far: 0 if
// the text does not begin with a common opening tag, and its length while such a tag is
// incomplete or not closed. With tags of the user, only those count: their opening tag may be missing, and
// all text before the closing one is reasoning.
func ContentStart(text []byte, tags Tags) int {
	if tags != (Tags{}) {
		return after(text, tags.Close)
	}
	head := bytes.TrimLeft(text[:min(len(text), 64)], " \t\r\n")
	for _, t := range common() {
		switch {
		case bytes.HasPrefix(head, []byte(t.Open)):
			return after(text, t.Close)
		case len(head) < len(t.Open) && bytes.HasPrefix([]byte(t.Open), head): // it may become one
			return len(text)
		}
	}
	return 0
}

// after returns where a tag ends in a text; the end of the text without it.
func after(text []byte, tag string) int {
	if at := bytes.Index(text, []byte(tag)); at >= 0 {
		return at + len(tag)
	}
	return len(text)
}

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
