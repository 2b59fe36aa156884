package cli

import (
	"context"
	"fmt"

	"verbatim"
)

// bytesPerToken is more text than a token holds on average in any text that is
// asked here: what exceeds a context by this measure exceeds it by any.
const bytesPerToken = 6

// bounded refuses what a model of known context cannot take in, before it is
// asked. A model that counts its own tokens refuses for itself, and exactly: a token
// of its may be a whole sentence.
func bounded(t target) verbatim.Model {
	if t.Context == nil || t.Count != nil {
		return t.Model
	}
	return boundedModel{t.Model, &t}
}

type boundedModel struct {
	verbatim.Model
	target *target
}

// Ask implements verbatim.Model.
func (m boundedModel) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = m.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace.
func (m boundedModel) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := m.check(r); err != nil {
		return err
	}
	return verbatim.AskInPlace(ctx, m.Model, r, reply)
}

// check returns the failure of a prompt that the model cannot take in.
func (m boundedModel) check(r *verbatim.Request) error {
	bytes, tokens := m.target.least(r.Prompt)
	if tokens > *m.target.Context {
		return &verbatim.Failure{Class: verbatim.BadAsk, Who: m.target.Name,
			Err:  fmt.Errorf("the prompt has %d bytes, more than %d tokens, and the model's context holds %d", bytes, tokens, *m.target.Context),
			Hint: "ask shorter lengths"}
	}
	return nil
}

// least returns how many bytes of text a prompt has, and how many tokens that is at
// least.
func (t target) least(p verbatim.Prompt) (bytes, tokens int64) {
	for _, m := range p {
		for _, part := range m.Content {
			bytes += int64(len(part.Text))
		}
	}
	return bytes, bytes / bytesPerToken
}

// takesIn reports whether the model can read a prompt and has room left for an answer,
// as far as that is known before it is asked.
func (t target) takesIn(p verbatim.Prompt) (bool, error) {
	if t.Context == nil {
		return true, nil
	}
	if t.Count != nil {
		n, err := t.Count(p)
		return n < *t.Context, err
	}
	_, tokens := t.least(p)
	return tokens <= *t.Context, nil
}
