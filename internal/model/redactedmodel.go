package model

import (
	"context"

	"verbatim"
)

// A redactedModel is a model whose replies and errors pass a Redactor.
type redactedModel struct {
	model  verbatim.Model
	redact Redactor
}

// Ask implements verbatim.Model.
func (m redactedModel) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	reply, err := m.model.Ask(ctx, r)
	return m.redact.reply(reply), m.redact.error(err)
}
