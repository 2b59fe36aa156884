package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/run"
)

// bytesPerToken is more than the mean size of a token in any text that is sent. A prompt that
// exceeds a context with tokens of this size exceeds it with smaller ones too.
const bytesPerToken = 6

// withLimits returns the target's model, which refuses requests that it cannot take: those that do
// not fit into its context, and pictures if it takes no images. A model that counts its tokens
// itself refuses long prompts by itself: one of its tokens may be a whole sentence. Prompts that the
// endpoint would shorten are refused too.
func withLimits(t target, s *run.Shortening) verbatim.Model {
	m := &limitedModel{Model: t.Model, target: &t, shortening: s}
	m.blind.Store(t.Images != nil && !*t.Images)
	return m
}

// A limitedModel is a model whose context, or whether it takes images, is known.
type limitedModel struct {
	verbatim.Model
	target     *target
	shortening *run.Shortening
	blind      atomic.Bool // it takes no images, by its entry or by an answer of its server
}

// Ask implements verbatim.Model.
func (m *limitedModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	pictures := holdsImage(r.Prompt)
	if pictures && m.blind.Load() {
		return &verbatim.Failure{Class: verbatim.Unsupported, Who: m.target.Name, Err: errors.New("the model takes no images")}
	}
	if err := m.check(r); err != nil {
		return err
	}
	if f := m.shortening.Refuse(r); f != nil {
		return f
	}
	err := m.Model.Ask(ctx, r, reply)
	if f, ok := errors.AsType[*verbatim.Failure](err); ok && pictures && f.Class == verbatim.Unsupported {
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

// check returns the failure of a request whose prompt and right answer do not fit into the context
// together.
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

// leastTokens returns the smallest number of tokens that a prompt can have.
func leastTokens(p verbatim.Prompt) (tokens int64) {
	for _, m := range p {
		for _, part := range m.Content {
			tokens += leastTokensOf(part.Text)
		}
	}
	return tokens
}

// leastAnswer returns the smallest number of tokens that the right answer can have.
func leastAnswer(it *verbatim.Item) int64 {
	if it == nil {
		return 0
	}
	return leastTokensOf(pylit.Answer(it.Want))
}

// leastTokensOf returns the smallest number of tokens that a text can have. Vocabularies have
// tokens of one character repeated many times, so only the first bytes of such a sequence count.
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

// fits reports whether a prompt fits into the model's context together with the answer of its item.
// If the model does not count its tokens, that is estimated in favour of sending.
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

// withParams returns the target for requests with these parameters: Ollama's context is one of them.
func (t target) withParams(p verbatim.Params) target {
	var options struct {
		Context *int64 `json:"num_ctx"`
	}
	if t.Wire == "ollama" && json.Unmarshal(p.Extra["options"], &options) == nil && options.Context != nil {
		t.Context = options.Context
	}
	return t
}
