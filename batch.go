package verbatim

import "context"

// A Batcher is a Model that also takes many requests at once, to answer them
// later and for less money.
//
// A batch has a key of our own, which is kept before anything is sent: where a
// program dies between sending and hearing the provider's id, Find tells whether
// the batch is there, so that it is never paid twice.
type Batcher interface {
	Model
	// Fits returns how many of the requests, from the first, fit into one batch:
	// by number and by bytes. It is an error where the first alone does not fit.
	Fits(requests []Request) (int, error)
	// Submit hands requests over as one batch and returns the provider's id for it.
	Submit(ctx context.Context, key string, requests []Request) (id string, err error)
	// Find returns the id of the batch that was submitted under key, "" where the
	// provider has none; an error means that it could not be found out.
	Find(ctx context.Context, key string) (id string, err error)
	// Collect says how far a batch is. Once it is over, answer is called for every
	// request that the provider says something of, in any order: a request is
	// named by its Seq, and an error is a *Failure. What answer is not called for
	// was not answered. An error of answer ends the collecting and is returned.
	Collect(ctx context.Context, id string, answer func(seq int64, reply Reply, err error) error) (BatchState, error)
}

// A BatchState is how far a batch is.
type BatchState struct {
	Over bool   // nothing more will come of it
	Raw  string // the state, as the provider spells it
	// Done and Total count requests, as far as the provider says; 0 is unknown.
	Done, Total int64
}
