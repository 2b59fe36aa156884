// Package pace sends requests to an endpoint as fast as it admits them, and within a
// budget. There is one Pacer for each endpoint; it wraps a Model:
//
//	pacer := pace.New(pace.Config{Attempts: 5, Concurrency: 256, Adaptive: true})
//	err := pacer.Wrap(m).Ask(ctx, request, &reply)
//
// A request waits at the gate (gate.go) for a free slot, for the end of a pause that
// the server asked for, and for its turn at the rate. Then its maximum cost is
// reserved (budget.go). If it fails for a reason that may pass, it is
// sent again (ask.go). Its outcome opens the gate for others, or begins a pause
// (gate.go).
//
// The concurrency follows from the throughput at different numbers of requests in flight
// (knee.go). The rate follows from the server's refusals (meter.go) and from its
// headers. Both are pure arithmetic on times. A Pacer has no goroutine and one
// timer.
package pace
