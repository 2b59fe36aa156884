package app

import (
	"verbatim"
	"verbatim/internal/pace"
)

// firstAttempts is how many attempts a request has until the endpoint has answered once.
const firstAttempts = 3

// Requests in flight of a model if neither the user nor the model's settings say.
const (
	maxTuned      = 256 // at most, tuned
	maxTunedEach  = 64  // at most, tuned, if several models get requests
	localInFlight = 4   // of models inside this program or its children
)

// waitRoom is how many requests, in addition to those in flight, may wait for a retry
// before nothing new is sent. Without it, an endpoint at which some prompts always fail
// would hold everything up.
const waitRoom = 64

// pacer makes the Pacer of a model; slots is how many
// requests its server runs at once, 0 if that is unknown; limit gives the token limits; others says that other models get
// requests too.
func (p *Pace) pacer(t target, slots int, limit func(*verbatim.Request) int, budget *pace.Budget, others bool) *pace.Pacer {
	c := pace.Config{
		Attempts: p.MaxAttempts, FirstAttempts: firstAttempts, Total: p.Deadline, Price: t.Price, Budget: budget,
		RequestsPerMinute: p.RequestsPerMinute, TokensPerMinute: p.TokensPerMinute, Limit: limit,
	}
	if c.Price == nil {
		c.Budget = nil // --unpriced
	}
	if c.RequestsPerMinute == 0 {
		c.RequestsPerMinute = float64(t.Limits.RequestsPerMinute)
	}
	if c.TokensPerMinute == 0 {
		c.TokensPerMinute = float64(t.Limits.TokensPerMinute)
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
