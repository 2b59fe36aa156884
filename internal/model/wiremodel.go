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
	log      io.Writer // nil: no log
	// noSystem is set once the server has refused a system message.
	noSystem atomic.Bool
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

// send sends a request. Where the model has no system role, the system text goes into the
// first user message: at once where the run says so, and otherwise after the server's first
// refusal. The reply records it.
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
