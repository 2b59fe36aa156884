package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"verbatim"
	"verbatim/internal/wire"
)

// A wireModel is a model behind a wire.
type wireModel struct {
	wire     *wire.Protocol
	endpoint wire.Endpoint
	refiner
	log      io.Writer   // nil: no log
	noSystem atomic.Bool // the server has refused a system message
}

// Ask implements verbatim.Model.
func (a *wireModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	if err := a.send(ctx, r, reply); err != nil {
		err = a.redactor.Error(err)
		if f, ok := errors.AsType[*verbatim.Failure](err); ok {
			number(f.Attempts, r.Attempt)
		}
		return err
	}
	a.refine(reply)
	number(reply.Attempts, r.Attempt)
	return nil
}

// send sends a request. The system text goes into the first user message if the parameters say so,
// or if the server refuses the system role. Reply.Sent records it.
func (a *wireModel) send(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	inUser := a.noSystem.Load() || r.Params.SystemAs == SystemAsUser
	if !inUser {
		err := a.wire.Send(ctx, &a.endpoint, r, reply)
		if !refusesSystem(err) || !hasSystem(r.Prompt) {
			return err
		}
		if a.noSystem.CompareAndSwap(false, true) && a.log != nil {
			fmt.Fprintf(a.log, "%s refuses the system role: the system text is sent in the first user message, as with --system-as user\n", a.endpoint.Who())
		}
	}
	prompt, moved := SystemInUser(r.Prompt)
	if !moved {
		return a.wire.Send(ctx, &a.endpoint, r, reply)
	}
	other := *r
	other.Prompt = prompt
	if err := a.wire.Send(ctx, &a.endpoint, &other, reply); err != nil {
		return err
	}
	markSystemInUser(reply)
	return nil
}

// number sets the number of attempts.
func number(attempts []verbatim.Attempt, n int) {
	for i := range attempts {
		attempts[i].N = n
	}
}
