package redact

import (
	"context"

	"verbatim"
)

// Model returns a model whose replies and errors are those of m without secrets.
func (r Redactor) Model(m verbatim.Model) verbatim.Model { return redactedModel{m, r} }

// A redactedModel is a model whose replies and errors pass a Redactor.
type redactedModel struct {
	model  verbatim.Model
	redact Redactor
}

// Ask implements verbatim.Model.
func (m redactedModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := m.model.Ask(ctx, r, reply); err != nil {
		return m.redact.Error(err)
	}
	m.redact.Reply(reply)
	return nil
}
