package pace

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim"
)

// A model asks another through a Pacer.
type model struct {
	p     *Pacer
	model verbatim.Model
}

// Ask implements verbatim.Model.
func (m *model) Ask(ctx context.Context, q verbatim.Request) (verbatim.Reply, error) {
	var past []verbatim.Attempt
	var last *verbatim.Failure // of the tries before
	var failed time.Time       // when it did
	for try := 1; ; try++ {
		t, held, err := m.admit(ctx, q, try > 1)
		if err != nil {
			return verbatim.Reply{}, unasked(err, last, past)
		}
		if try == 1 && m.p.Total > 0 {
			limited, cancel := context.WithTimeoutCause(ctx, m.p.Total, errTotal)
			defer cancel()
			ctx = limited
		}
		start := time.Now()
		var waited time.Duration
		if try > 1 {
			waited = start.Sub(failed)
		}
		reply, cost, err := m.try(ctx, q, t, held, start)
		var f *verbatim.Failure
		switch known := errors.As(err, &f); {
		case err == nil:
			reply.Attempts = join(past, reply.Attempts, verbatim.Attempt{N: q.Attempt, Start: start}, waited)
			reply.Attempts[len(reply.Attempts)-1].Cost = cost
			return reply, nil
		case !known && cost == nil:
			return reply, err
		case !known: // what it may have cost needs an attempt to be saved with
			return reply, unknownFailure(err, join(past, nil, verbatim.Attempt{N: q.Attempt, Start: start, Cost: cost}, waited))
		}
		past = join(past, f.Attempts, verbatim.Attempt{N: q.Attempt, Start: start, Status: f.Status, Class: f.Class, Err: reason(f)}, waited)
		if a := &past[len(past)-1]; a.Cost == nil {
			a.Cost = cost
		}
		own := *f // the model's own is the model's, which may use it again
		own.Attempts = past
		last, failed = &own, time.Now()
		if try >= m.p.tries() || !passes(f.Class) || f.After > longAfter || m.wait(ctx, max(backoff(try), f.After)) != nil {
			return verbatim.Reply{}, last
		}
		q.Attempt++
	}
}

// tries returns how often a request is tried at this moment.
func (p *Pacer) tries() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.heard && p.FirstTries > 0 {
		return min(p.FirstTries, p.Tries)
	}
	return p.Tries
}

// admit waits at the gate, and then for money.
func (m *model) admit(ctx context.Context, q verbatim.Request, again bool) (*ticket, *reservation, error) {
	t, err := m.p.enter(ctx, count(q), again)
	if err != nil {
		return nil, nil, err
	}
	t.again = again
	held, err := m.p.purse.hold(ctx, q)
	if err != nil {
		m.p.report(&t, 0, nil, nil)
		return nil, nil, err
	}
	return &t, held, nil
}

// try asks once and settles what it cost: of a reply whose cost is not known, and of
// a failure, the most that it may have been. A model that panics gives its place back
// on the way, and where money was set aside for it, fails.
func (m *model) try(ctx context.Context, q verbatim.Request, t *ticket, held *reservation, start time.Time) (reply verbatim.Reply, cost *verbatim.Money, err error) {
	defer func() {
		if t.reported {
			return
		}
		cost = m.p.purse.lost(held, nil)
		m.p.report(t, 0, nil, nil)
		if cost != nil {
			err = panicked(recover())
		}
	}()
	if held != nil {
		parent := ctx
		ctx = verbatim.WithResend(ctx, func() bool { return m.p.purse.resend(parent, held) })
	}
	reply, err = m.model.Ask(ctx, q)
	took := time.Since(start)
	if err == nil {
		cost = m.p.purse.paid(held, q, &reply)
		m.p.report(t, took, &reply, nil)
		return reply, cost, nil
	}
	cost = m.p.purse.lost(held, err)
	var f *verbatim.Failure
	errors.As(err, &f)
	m.p.report(t, took, nil, f)
	return reply, cost, err
}

// panicked makes a failure of a panic, and of the end of a goroutine.
func panicked(p any) error {
	return &verbatim.Failure{Class: verbatim.Content, Who: "model", Hint: "this is a defect of verbatim: please report it", Err: fmt.Errorf("panic: %v", p)}
}

// unknownFailure makes a failure of an error of which no more is known than its text.
func unknownFailure(err error, attempts []verbatim.Attempt) error {
	f := &verbatim.Failure{Class: verbatim.Transport, Err: err, Attempts: attempts}
	if errors.Is(err, context.DeadlineExceeded) {
		f.Class = verbatim.Deadline
	}
	last := &attempts[len(attempts)-1]
	last.Class, last.Err = f.Class, err.Error()
	return f
}

// wait waits before a request is tried again. It does not begin where ctx ends
// before: then the error is that of a context at its end.
func (m *model) wait(ctx context.Context, d time.Duration) error {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-m.p.over:
		return ErrStopped
	case <-timer.C:
		return nil
	}
}

// unasked makes the error of a request that was not asked, or not again.
func unasked(err error, last *verbatim.Failure, past []verbatim.Attempt) error {
	var f *verbatim.Failure
	switch {
	case errors.As(err, &f):
		own := *f
		own.Attempts = past
		return &own
	case last != nil:
		return last
	case errors.Is(err, ErrStopped):
		return err
	}
	return &verbatim.Failure{Class: verbatim.Deadline, Who: "pace", Err: err}
}

// count returns about how many tokens a request counts for before it is answered:
// providers take a fourth of the prompt's bytes and the token limit.
func count(q verbatim.Request) float64 {
	n := 0
	for _, m := range q.Prompt {
		for _, part := range m.Content {
			n += len(part.Text)
			if part.Image != nil {
				n += 4 * 1000
			}
		}
	}
	return float64(n)/4 + float64(max(0, q.MaxTokens))
}
