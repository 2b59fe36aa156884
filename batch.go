package verbatim

import (
	"context"
	"errors"
)

// A Batcher is a Model that also accepts batches: many requests at once, answered later
// and for less money.
//
// A batch has a key of this program, which is saved before anything is sent. If the
// program ends before it gets the provider's id, Find determines whether the batch
// exists, so that it is never paid twice.
type Batcher interface {
	Model
	// Fits returns how many of the requests, from the first, fit into one batch by number and
	// by bytes. It is an error if the first alone does not fit.
	Fits(requests []Request) (int, error)
	// Submit sends requests as one batch and returns the provider's id for it.
	Submit(ctx context.Context, key string, requests []Request) (id string, err error)
	// Find returns the id of the batch that was submitted with this key; "" if the provider
	// has no such batch. After an error it is unknown whether the provider has one.
	Find(ctx context.Context, key string) (id string, err error)
	// Collect returns the state of a batch. Once it is over, Collect calls answer for
	// every request that has a result, in any order, with its Seq and a reply or a *Failure.
	// Requests without a call have no answer. If answer returns ErrForeign, the result is
	// passed over. Another error of answer ends Collect, which returns it. A failure of class
	// Cut with a state that is over means that results are missing.
	Collect(ctx context.Context, id string, answer func(seq int64, reply Reply, err error) error) (BatchState, error)
}

// A BatchState is the progress of a batch.
type BatchState struct {
	Over bool   // the provider has finished it
	Raw  string // the state in the provider's spelling
	// Done and Total count requests, as reported by the provider; 0 is unknown.
	Done, Total int64
	// Foreign counts the results that were passed over: they cannot be read, or name no request
	// of the batch. FirstForeign says where the first is, and what it says; it has no secrets
	// and no control characters.
	Foreign      int64
	FirstForeign string
}

// ErrForeign is the error of a result that belongs to no request of its batch, or to one that has
// a result already.
var ErrForeign = errors.New("no request of the batch waits for this result")
