package app

import (
	"context"

	"verbatim"
)

// A serialModel is a Model that shares a server with others. Together they have one request in flight.
type serialModel struct {
	verbatim.Model
	gate chan struct{} // holds one value while a request is in flight
}

// Ask implements verbatim.Model.
func (m serialModel) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	select {
	case m.gate <- struct{}{}:
	case <-ctx.Done():
		return m.Model.Ask(ctx, r, reply) // it returns its own error
	}
	defer func() { <-m.gate }()
	return m.Model.Ask(ctx, r, reply)
}
