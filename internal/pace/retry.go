// Package pace wraps models: what it returns is a model that asks another one in
// a better-behaved way. Wrappers have the form func(verbatim.Model) verbatim.Model,
// so they can be put around each other.
//
// Start reading at Retry. Its rule is the simple honest one: what may succeed
// later is tried again, what a server or a grader has to say is not. Every try is
// recorded with the time that was waited before it, so that a table can show
// what a run went through.
package pace

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"verbatim"
)

const (
	firstWait = 500 * time.Millisecond // before the second try
	longWait  = 30 * time.Second       // what our own waits grow to
	// longAfter is the longest that a server may ask us to wait. A server that
	// asks for more is not asked again earlier, but given up: the run continues
	// without it and can be continued later.
	longAfter = 5 * time.Minute
)

// Retry tries a request again when no answer was obtained for a reason that may
// pass: transport, rate, overload, and answers that were cut. It never repeats a
// request that was answered, that was refused for its key, its money or itself,
// whose answer could not be read, or that ran into our own time limit.
//
// The waits double from half a second to half a minute, spread by chance so that
// many workers do not come back at once, and are never shorter than what the
// server asks for. tries counts the first one too; below 1 it is 1.
//
// The request's Attempt counts up from what it is. The attempts of all tries are
// in the reply, the one that succeeded last, or in the last failure.
func Retry(tries int) func(verbatim.Model) verbatim.Model {
	return func(m verbatim.Model) verbatim.Model {
		return &retry{model: m, tries: max(1, tries), clock: clock{time.Now, sleep, rand.Float64}}
	}
}

// A clock is the time and the chance that a retry lives by.
type clock struct {
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	chance func() float64 // in [0, 1)
}

// sleep waits, or returns the error of a context that ends before.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

type retry struct {
	model verbatim.Model
	tries int
	clock
}

// Ask implements verbatim.Model.
func (r *retry) Ask(ctx context.Context, q verbatim.Request) (verbatim.Reply, error) {
	var past []verbatim.Attempt
	var waited time.Duration
	for try := 1; ; try++ {
		start := r.now()
		reply, err := r.model.Ask(ctx, q)
		var f *verbatim.Failure
		switch known := errors.As(err, &f); {
		case err == nil:
			reply.Attempts = r.join(past, reply.Attempts, verbatim.Attempt{N: q.Attempt, Start: start}, waited)
			return reply, nil
		case !known:
			return reply, err
		}
		past = r.join(past, f.Attempts, verbatim.Attempt{N: q.Attempt, Start: start, Status: f.Status, Class: f.Class, Err: reason(f)}, waited)
		failed := *f // the model's own, which it may use again
		failed.Attempts = past
		if try == r.tries || !passes(f.Class) || f.After > longAfter || ctx.Err() != nil {
			return verbatim.Reply{}, &failed
		}
		waited = max(r.wait(try), f.After)
		if r.sleep(ctx, waited) != nil {
			return verbatim.Reply{}, &failed
		}
		q.Attempt++
	}
}

// passes reports whether a failure of the class may be gone at the next try.
func passes(c verbatim.Class) bool {
	switch c {
	case verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Cut:
		return true
	}
	return false
}

// wait returns our own wait after a number of tries: half of it is certain, half
// is chance.
func (r *retry) wait(tries int) time.Duration {
	d := longWait
	if tries < 10 {
		d = min(longWait, firstWait<<(tries-1))
	}
	return d/2 + time.Duration(r.chance()*float64(d/2))
}

// join appends what a model recorded of a try, or the bare attempt where it
// recorded nothing. The wait stands before the first.
func (r *retry) join(past, recorded []verbatim.Attempt, bare verbatim.Attempt, waited time.Duration) []verbatim.Attempt {
	if len(recorded) == 0 {
		bare.Total = r.now().Sub(bare.Start)
		recorded = []verbatim.Attempt{bare}
	}
	n := len(past)
	past = append(past[:n:n], recorded...)
	past[n].Wait += waited
	return past
}

func reason(f *verbatim.Failure) string {
	if f.Err == nil {
		return string(f.Class)
	}
	return f.Err.Error()
}
