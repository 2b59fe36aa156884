// Package pace keeps an endpoint busy and never angry, and money within bounds.
//
// Start at Pacer: one for each endpoint, with a Model wrapped in it. A request
// waits at the gate (gate.go) for a free place, for the end of a pause that the
// server asked for and for its turn at the rate; then for money (budget.go). It
// is tried again where no answer was obtained for a reason that may pass (ask.go,
// retry.go). What may succeed later is tried again; what a server has to say is
// not.
//
// How many requests may be in flight is found by what more of them bring
// (knee.go), and how many a minute by what the server refuses (meter.go,
// episode.go) and by what its headers say (headers.go). Both are pure arithmetic
// on times that they are handed: no goroutine, and one timer for each Pacer.
package pace
