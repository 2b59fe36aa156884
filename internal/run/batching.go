package run

import (
	"fmt"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// Batching says how a lane submits requests in batches.
//
// A batch is saved before it is submitted. So a program that ends at any moment neither pays twice nor
// loses what it has paid for. The next call of Run collects pending batches. If it is unknown whether
// one was submitted, it asks the provider.
type Batching struct {
	Model verbatim.Batcher // the model itself, without wrappers
	// Submit says that the requests of the Source are submitted in batches, and not sent one
	// by one. Otherwise only pending batches are collected, after all other requests.
	Submit bool
	// Forget gives up batches of which it is unknown whether they were submitted. Their
	// requests are sent again and may be paid twice.
	Forget bool
	// Afford reserves the budget for the requests and returns for how many of them, from the
	// first, it suffices. Settle is called for each of these, also if it is not submitted after
	// all.
	Afford func(requests []verbatim.Request) (int, error)
	// Hold is called with the requests of pending batches of earlier calls, instead of Afford.
	Hold func(requests []verbatim.Request)
	// Settle is called with the result of a request before it is saved, and may set the cost
	// of the reply.
	Settle func(r verbatim.Request, reply *verbatim.Reply, err error)
	// GiveUp is called with a request of a batch that is given up, and returns its maximum
	// cost, nil if that is unknown.
	GiveUp func(r verbatim.Request) *verbatim.Money
	// Most returns the largest token limit in the next batch, or AnyTokens. Limit returns the
	// token limit of a request under it. The number is saved with the batch, so that its
	// requests can be drawn again as they were sent.
	Most  func() int
	Limit func(r *verbatim.Request, most int) int
	// Again reports whether a request that the provider has refused is submitted again, in the
	// next batch, because Most is lower now.
	Again func(r *verbatim.Request, err error) bool
	// Every is the time until the state of pending batches is asked for again. It doubles, up
	// to 300 times that. 0 is a second, because small batches may be done soon.
	Every time.Duration
	// Talk is called with a message about every change of a batch; nil: it is not called.
	Talk func(string)
}

// AnyTokens is the value of Batching.Most that sets no limit.
const AnyTokens = store.AnyTokens

func (b *Batching) talk(format string, args ...any) {
	if b.Talk != nil {
		b.Talk(fmt.Sprintf(format, args...))
	}
}
