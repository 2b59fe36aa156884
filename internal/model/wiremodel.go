package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"verbatim"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// A wireModel is a model behind a wire.
type wireModel struct {
	wire     *wire.Protocol
	endpoint wire.Endpoint
	redactor redact.Redactor
	log      io.Writer   // nil: no log
	noSystem atomic.Bool // the server has refused a system message
}

// Ask implements verbatim.Model.
func (a *wireModel) Ask(ctx context.Context, r verbatim.Request) (reply verbatim.Reply, err error) {
	err = a.AskInPlace(ctx, &r, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace.
func (a *wireModel) AskInPlace(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	err := a.send(ctx, r, reply)
	a.redactor.Reply(reply)
	err = a.redactor.Error(err)
	setAttemptNumber(reply.Attempts, err, r.Attempt)
	return err
}

// send sends a request. The system text goes into the first user message if the parameters say so,
// or if the server refuses the system role. Reply.Sent records it.
func (a *wireModel) send(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	inUser := a.noSystem.Load() || r.Params.SystemAs == SystemAsUser
	if !inUser {
		err := a.wire.SendInPlace(ctx, &a.endpoint, r, reply)
		if !refusesSystem(err) || !hasSystem(r.Prompt) {
			return err
		}
		if a.noSystem.CompareAndSwap(false, true) && a.log != nil {
			fmt.Fprintf(a.log, "%s refuses the system role: the system text is sent in the first user message, as with --system-as user\n", a.endpoint.Who())
		}
		*reply = verbatim.Reply{}
	}
	prompt, moved := SystemInUser(r.Prompt)
	if !moved {
		return a.wire.SendInPlace(ctx, &a.endpoint, r, reply)
	}
	other := *r
	other.Prompt = prompt
	err := a.wire.SendInPlace(ctx, &a.endpoint, &other, reply)
	markSystemInUser(reply)
	return err
}

// setAttemptNumber sets the number of the attempts of a reply, or of a failure.
func setAttemptNumber(attempts []verbatim.Attempt, err error, n int) {
	if f, ok := errors.AsType[*verbatim.Failure](err); ok {
		attempts = f.Attempts
	}
	for i := range attempts {
		attempts[i].N = n
	}
}
