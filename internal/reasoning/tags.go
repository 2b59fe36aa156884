package reasoning

import (
	"context"
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

// Wrap returns a model that moves the reasoning in the texts of m to its own field. With the zero Tags, it returns m:
// only the user knows that text between tags is not part of the answer.
//
// All text up to and including the closing tag becomes Reasoning. Its ReasoningField is
// "text:" and the opening tag. Reasoning followed by Text is
// what the model wrote, byte for byte. The opening tag may be missing,
// since some servers put it into the prompt. A text that begins with it and never
// closes it is all reasoning. A reply whose reasoning the server sent separately is not
// changed.
//
// The result is a verbatim.Batcher if m is one.
func Wrap(m verbatim.Model, tags Tags) verbatim.Model {
	if tags == (Tags{}) {
		return m
	}
	return wrap(m, tags.split)
}

// WrapCommon is Wrap with the common tags. A text must begin with an opening one.
func WrapCommon(m verbatim.Model) verbatim.Model { return wrap(m, SplitCommon) }

func wrap(m verbatim.Model, split func(*verbatim.Reply)) verbatim.Model {
	tagged := taggedModel{m, split}
	if b, ok := m.(verbatim.Batcher); ok {
		return taggedBatcher{b, tagged}
	}
	return tagged
}

// inText begins the ReasoningField of a reply whose reasoning was moved out of its text.
const inText = "text:"

// InText reports whether the reasoning of a reply was moved out of its text.
func InText(r *verbatim.Reply) bool { return strings.HasPrefix(r.ReasoningField, inText) }

// SplitCommon moves reasoning between common tags at the start of a reply out of its text.
func SplitCommon(r *verbatim.Reply) {
	if tags, ok := opening(r.Text); ok {
		tags.split(r)
	}
}

// A taggedModel moves reasoning out of the replies of a model.
type taggedModel struct {
	model verbatim.Model
	split func(*verbatim.Reply)
}

// Ask implements verbatim.Model.
func (t taggedModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := t.model.Ask(ctx, r, reply); err != nil {
		return err
	}
	t.split(reply)
	return nil
}

// A taggedBatcher is a taggedModel of a Batcher.
type taggedBatcher struct {
	verbatim.Batcher
	tagged taggedModel
}

// Ask implements verbatim.Model.
func (t taggedBatcher) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	return t.tagged.Ask(ctx, r, reply)
}

// Collect implements verbatim.Batcher.
func (t taggedBatcher) Collect(ctx context.Context, id string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	return t.Batcher.Collect(ctx, id, func(seq int64, reply verbatim.Reply, err error) error {
		t.tagged.split(&reply)
		return answer(seq, reply, err)
	})
}

// split moves the reasoning of a reply out of its text.
func (t Tags) split(r *verbatim.Reply) {
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
