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
func (m redactedModel) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = m.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace.
func (m redactedModel) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	err := verbatim.AskInPlace(ctx, m.model, r, reply)
	m.redact.Reply(reply)
	return m.redact.Error(err)
}
