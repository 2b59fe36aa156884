package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"verbatim"
	"verbatim/internal/pylit"
)

// bytesPerToken is more than the mean size of a token in any text that is sent: a prompt
// that exceeds a context by this measure exceeds it by any.
const bytesPerToken = 6

// withLimits returns the target's model, which refuses what it is known not to take: items
// that do not fit into its context, and pictures if it does not see. A model that counts its
// own tokens refuses by itself: one of its tokens may be a whole sentence.
func withLimits(t target) verbatim.Model {
	m := &limitedModel{Model: t.Model, target: &t}
	m.blind.Store(t.Images != nil && !*t.Images)
	return m
}

// A limitedModel is a model of which is known what it takes.
type limitedModel struct {
	verbatim.Model
	target *target
	blind  atomic.Bool // it takes no images, as is known before a request or as its server has said
}

// Ask implements verbatim.Model.
func (m *limitedModel) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = m.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace.
func (m *limitedModel) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	pictures := holdsImage(r.Prompt)
	if pictures && m.blind.Load() {
		return &verbatim.Failure{Class: verbatim.Unsupported, Who: m.target.Name, Err: errors.New("the model takes no images")}
	}
	if err := m.check(r); err != nil {
		return err
	}
	err := verbatim.AskInPlace(ctx, m.Model, r, reply)
	var f *verbatim.Failure
	if pictures && errors.As(err, &f) && f.Class == verbatim.Unsupported {
		m.blind.Store(true)
	}
	return err
}

// holdsImage reports whether a prompt has a picture.
func holdsImage(p verbatim.Prompt) bool {
	for _, m := range p {
		for _, part := range m.Content {
			if part.Image != nil {
				return true
			}
		}
	}
	return false
}

// check returns the failure of an item whose prompt and right answer do not fit into the
// context together.
func (m *limitedModel) check(r *verbatim.Request) error {
	if m.target.Context == nil || m.target.Count != nil {
		return nil
	}
	prompt, answer := leastTokens(r.Prompt), leastAnswer(r.Item)
	if prompt+answer <= *m.target.Context {
		return nil
	}
	f := &verbatim.Failure{Class: verbatim.BadAsk, Who: m.target.Name, Hint: "use shorter lengths"}
	if prompt > *m.target.Context {
		f.Err = fmt.Errorf("the prompt has %d tokens or more, and the model's context holds %d", prompt, *m.target.Context)
	} else {
		f.Err = fmt.Errorf("the prompt has %d tokens or more and the right answer %d, and the model's context holds %d", prompt, answer, *m.target.Context)
	}
	return f
}

// leastTokens returns the tokens that a prompt has at least.
func leastTokens(p verbatim.Prompt) (tokens int64) {
	for _, m := range p {
		for _, part := range m.Content {
			tokens += leastTokensOf(part.Text)
		}
	}
	return tokens
}

// leastAnswer returns the tokens that the right answer has at least.
func leastAnswer(it *verbatim.Item) int64 {
	if it == nil {
		return 0
	}
	if it.Want.IsList() {
		return leastTokensOf(pylit.Format(it.Want.List))
	}
	return leastTokensOf(it.Want.Text)
}

// leastTokensOf returns the tokens that a text has at least. Vocabularies have tokens for a
// letter many times over: of the same byte repeated, a few count.
func leastTokensOf(text string) int64 {
	bytes, same := 0, 0
	for i := range len(text) {
		if same++; i == 0 || text[i] != text[i-1] {
			same = 0
		}
		if same < bytesPerToken {
			bytes++
		}
	}
	return int64(bytes / bytesPerToken)
}

// fits reports whether an item fits into the model's context, with room for its answer, as
// far as that is known before it is sent.
func (t target) fits(p verbatim.Prompt, it *verbatim.Item) (bool, error) {
	if t.Context == nil {
		return true, nil
	}
	if t.Count != nil {
		n, err := t.Count(p)
		return n < *t.Context, err
	}
	return leastTokens(p)+leastAnswer(it) <= *t.Context, nil
}

// withParams returns the target as its requests find it: Ollama takes the context of a
// request from the request.
func (t target) withParams(p verbatim.Params) target {
	var options struct {
		Context *int64 `json:"num_ctx"`
	}
	if t.Wire == "ollama" && json.Unmarshal(p.Extra["options"], &options) == nil && options.Context != nil {
		t.Context = options.Context
	}
	return t
}
