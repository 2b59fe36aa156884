package app

import (
	"context"
	"fmt"

	"verbatim"
)

// bytesPerToken is more than the mean size of a token in any text that is sent: a prompt
// that exceeds a context by this measure exceeds it by any.
const bytesPerToken = 6

// withContextLimit returns the target's model, which refuses prompts that do not fit into
// its context, if that is known. A model that counts its own tokens refuses by itself: one
// of its tokens may be a whole sentence.
func withContextLimit(t target) verbatim.Model {
	if t.Context == nil || t.Count != nil {
		return t.Model
	}
	return limitedModel{t.Model, &t}
}

// A limitedModel is a model whose context is known.
type limitedModel struct {
	verbatim.Model
	target *target
}

// Ask implements verbatim.Model.
func (m limitedModel) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = m.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace.
func (m limitedModel) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := m.check(r); err != nil {
		return err
	}
	return verbatim.AskInPlace(ctx, m.Model, r, reply)
}

// check returns the failure of a prompt that does not fit into the context.
func (m limitedModel) check(r *verbatim.Request) error {
	bytes, tokens := m.target.minSize(r.Prompt)
	if tokens > *m.target.Context {
		return &verbatim.Failure{Class: verbatim.BadAsk, Who: m.target.Name,
			Err:  fmt.Errorf("the prompt has %d bytes, more than %d tokens, and the model's context holds %d", bytes, tokens, *m.target.Context),
			Hint: "ask shorter lengths"}
	}
	return nil
}

// minSize returns the bytes of text of a prompt, and the tokens that it has at least.
func (t target) minSize(p verbatim.Prompt) (bytes, tokens int64) {
	for _, m := range p {
		for _, part := range m.Content {
			bytes += int64(len(part.Text))
		}
	}
	return bytes, bytes / bytesPerToken
}

// fits reports whether a prompt fits into the model's context with room for an answer, as
// far as that is known before it is sent.
func (t target) fits(p verbatim.Prompt) (bool, error) {
	if t.Context == nil {
		return true, nil
	}
	if t.Count != nil {
		n, err := t.Count(p)
		return n < *t.Context, err
	}
	_, tokens := t.minSize(p)
	return tokens <= *t.Context, nil
}
