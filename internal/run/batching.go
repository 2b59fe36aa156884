package run

import (
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// Batching is how a lane hands requests over in batches, for models that can.
//
// What is handed over is saved before it is sent, so that a program that dies at
// any moment neither pays twice nor loses what it has paid for: batches that are
// out are collected by the next call, and where it is not known whether one was
// handed over, the provider is asked.
type Batching struct {
	Model verbatim.Batcher // the model itself, without wrappers
	// Submit hands the Source's requests over in batches instead of asking them one
	// by one. Without it only batches that are out already are collected, after
	// everything else was asked.
	Submit bool
	// Forget gives up batches in unknown state: it is not known whether they were
	// handed over: their requests are asked again, and may be paid twice.
	Forget bool
	// Afford says how many of the requests, from the first, there is money for; nil:
	// all. What it has said yes to and Settle is not called for was not sent.
	Afford func(requests []verbatim.Request) (int, error)
	// Hold gets the requests that are out in batches of earlier calls, for which
	// Afford will not be asked; nil: no call.
	Hold func(requests []verbatim.Request)
	// Settle gets the result of a request that was sent, before it is saved: it
	// may fill in what the reply cost. Nil: no call.
	Settle func(r verbatim.Request, reply *verbatim.Reply, err error)
	// GiveUp gets a request in a batch that is given up, and returns the most that
	// it may cost; nil where it is unknown. Nil: not called.
	GiveUp func(r verbatim.Request) *verbatim.Money
	// Most returns the most tokens that the requests of the next batch may have, or
	// AnyTokens, and Limit the token limit of a request under that number. The number is
	// saved with the batch, so that its requests are drawn again as they were sent. Nil:
	// they have their own limits.
	Most  func() int
	Limit func(r *verbatim.Request, most int) int
	// Again reports whether a request that the provider has refused is worth another try:
	// Most is lower from now on. It goes into the next batch. Nil: none is.
	Again func(r *verbatim.Request, err error) bool
	// Every is the time between two looks at what is out, at first; it doubles up to
	// 300 times that. 0 is a second: what is small is often there soon.
	Every time.Duration
	// Talk, unless nil, gets what happens to batches, in sentences.
	Talk func(string)
}

// AnyTokens is no limit of Batching.Most.
const AnyTokens = store.AnyTokens

// within sets the token limit of a request in a batch.
func (b *Batching) within(r *verbatim.Request, most int) {
	if b.Limit != nil {
		r.MaxTokens = b.Limit(r, most)
	}
}

// again reports whether a request that was refused is handed over once more.
func (b *Batching) again(r *verbatim.Request, err error) bool {
	return err != nil && b.Again != nil && b.Again(r, err)
}

func (b *Batching) talk(format string, args ...any) {
	if b.Talk != nil {
		b.Talk(fmt.Sprintf(format, args...))
	}
}
