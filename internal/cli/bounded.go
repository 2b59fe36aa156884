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
// asked.
func bounded(t target) verbatim.Model {
	if t.Context == nil {
		return t.Model
	}
	return boundedModel{t.Model, t.Name, *t.Context}
}

type boundedModel struct {
	verbatim.Model
	name    string
	context int64
}

// Ask implements verbatim.Model.
func (m boundedModel) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	var bytes int64
	for _, msg := range r.Prompt {
		for _, part := range msg.Content {
			bytes += int64(len(part.Text))
		}
	}
	if tokens := bytes / bytesPerToken; tokens > m.context {
		return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.BadAsk, Who: m.name,
			Err:  fmt.Errorf("the prompt has %d bytes, more than %d tokens, and the model's context holds %d", bytes, tokens, m.context),
			Hint: "ask shorter lengths"}
	}
	return m.Model.Ask(ctx, r)
}
