package run

import (
	"context"

	"verbatim/internal/store"
)

// An engine is what all lanes of a call of Run share.
type engine struct {
	Config
	abort  context.Context         // done: everything ends now
	stop   context.Context         // done: no more requests are sent
	cancel context.CancelCauseFunc // ends abort
	halt   context.CancelFunc      // ends stop
	turns  *turns
	writer *store.Writer
	sender *progressSender
}
