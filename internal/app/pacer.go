package app

import (
	"cmp"

	"verbatim"
	"verbatim/internal/pace"
)

// firstAttempts is the number of attempts of a request until the endpoint has answered once.
const firstAttempts = 3

// Requests in flight of a model if neither the user nor the model's settings limit them.
const (
	maxTuned      = 256 // at most, tuned
	maxTunedEach  = 64  // at most, tuned, if several models get requests
	localInFlight = 4   // of models inside this program or its children
)

// waitRoom is the number of requests that may wait for a retry, in addition to those in flight. Only
// when it is reached, no new request is sent: some prompts that always fail stop no others.
const waitRoom = 64

// pacer makes the Pacer of a model. Slots is the number of requests that its server runs at once, 0
// if unknown. Limit returns the token limit of a request. Others says that other models get requests
// too.
func (p *Pace) pacer(t target, slots int, limit func(*verbatim.Request) int, budget *pace.Budget, others bool) *pace.Pacer {
	c := pace.Config{
		Attempts: p.MaxAttempts, FirstAttempts: firstAttempts, Total: p.Deadline, Price: t.Price, Budget: budget, Limit: limit,
		RequestsPerMinute: cmp.Or(p.RequestsPerMinute, float64(t.Limits.RequestsPerMinute)),
		TokensPerMinute:   cmp.Or(p.TokensPerMinute, float64(t.Limits.TokensPerMinute)),
	}
	if c.Price == nil {
		c.Budget = nil // --unpriced
	}
	switch {
	case p.Concurrency > 0:
		c.Concurrency = p.Concurrency
	case t.Limits.Concurrency > 0:
		c.Concurrency = t.Limits.Concurrency
	case slots > 0: // more would wait in the server's queue, and its times would be the queue's
		c.Concurrency = slots
	case t.local():
		c.Concurrency = localInFlight
	case others:
		// Requests that wait here delay the next item, and models get each item in turn.
		c.Concurrency, c.Adaptive = maxTunedEach, true
	default:
		c.Concurrency, c.Adaptive = maxTuned, true
	}
	return pace.New(c)
}
