package model

import (
	"context"
	"errors"

	"verbatim"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// A wireModel is a model behind a wire.
type wireModel struct {
	wire     *wire.Protocol
	endpoint wire.Endpoint
	redactor redact.Redactor
}

// Ask implements verbatim.Model.
func (a *wireModel) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = a.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace.
func (a *wireModel) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	err := a.wire.SendInPlace(ctx, &a.endpoint, r, reply)
	a.redactor.Reply(reply)
	err = a.redactor.Error(err)
	setAttemptNumber(reply.Attempts, err, r.Attempt)
	return err
}

// setAttemptNumber gives the attempts of a try, those of its failure too, the number that the
// request has.
func setAttemptNumber(attempts []verbatim.Attempt, err error, n int) {
	for i := range attempts {
		attempts[i].N = n
	}
	var f *verbatim.Failure
	if errors.As(err, &f) {
		for i := range f.Attempts {
			f.Attempts[i].N = n
		}
	}
}
