package run

import (
	"context"

	"verbatim/internal/store"
)

// An engine is what all lanes of a call of Run share.
type engine struct {
	Config
	abort  context.Context // done: everything ends now
	stop   context.Context // done: nothing more is asked
	cancel context.CancelCauseFunc
	halt   context.CancelFunc // ends stop
	turns  *turns
	writer *store.Writer
	teller *progressSender
}
