package reasoning

import (
	"errors"
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
