package pace

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim"
)

// Wrap returns a Model that sends requests to m through the Pacer. Its failures are
// those of m, and of class quota or auth if the endpoint was given up or the budget is
// used up: requests that were not sent because of it have no attempts.
//
// A request that is tried again counts Request.Attempt up. The attempts of all
// tries are in the reply, the one that succeeded last, or in the failure; what was
// waited between two tries is in the later one's Wait. An answer is never asked
// for again, and no request is ever asked twice at a time.
func (p *Pacer) Wrap(m verbatim.Model) verbatim.Model { return &model{p, m} }

// A model sends requests to another one through a Pacer.
type model struct {
	p     *Pacer
	model verbatim.Model
}

// Ask implements verbatim.Model.
func (m *model) Ask(ctx context.Context, q verbatim.Request) (reply verbatim.Reply, err error) {
	err = m.AskInPlace(ctx, &q, &reply)
	return reply, err
}

// AskInPlace implements verbatim.InPlace. Its frame is on the stack of every request in
// flight: what runs before and after the waits has functions of its own.
func (m *model) AskInPlace(ctx context.Context, q *verbatim.Request, reply *verbatim.Reply) error {
	s := &series{model: m, ctx: ctx, request: q, reply: reply}
	defer s.end()
	for {
		if err := s.begin(); err != nil {
			return err
		}
		cost, err := s.ask()
		pause, again, err := s.finish(cost, err)
		if !again || m.wait(s.ctx, pause) != nil {
			return err
		}
	}
}

// A series is a request with its attempts.
type series struct {
	model   *model
	ctx     context.Context    // ends with the caller's and with Config.Total
	cancel  context.CancelFunc // of ctx where it is our own
	request *verbatim.Request  // the caller's; a copy after the first try
	reply   *verbatim.Reply

	// Of the try that is under way.
	attempt int // from 1
	ticket  ticket
	held    *reservation
	start   time.Time
	waited  time.Duration // before it

	// Of the earlier attempts.
	past   []verbatim.Attempt
	last   *verbatim.Failure
	failed time.Time // when the last one did
}

// end releases what the series holds.
func (s *series) end() {
	if s.cancel != nil {
		s.cancel()
	}
}

// begin waits until the request may be sent. The error is that of the request.
func (s *series) begin() error {
	if s.attempt++; s.attempt > 1 {
		again := *s.request
		again.Attempt++
		s.request = &again
	}
	if err := s.admit(); err != nil {
		return unasked(err, s.last, s.past)
	}
	if total := s.model.p.Total; s.attempt == 1 && total > 0 {
		s.ctx, s.cancel = context.WithTimeoutCause(s.ctx, total, errTotal)
	}
	s.start = time.Now()
	if s.attempt > 1 {
		s.waited = s.start.Sub(s.failed)
	}
	return nil
}

// errTotal is why an attempt ends when the time for all attempts is over.
var errTotal = errors.New("the time limit for all attempts of a request")

// finish records the outcome of an attempt. again says that it is to be retried after a
// pause; otherwise err is the error.
func (s *series) finish(cost *verbatim.Money, failed error) (pause time.Duration, again bool, err error) {
	q := s.request
	var f *verbatim.Failure
	switch known := errors.As(failed, &f); {
	case failed == nil:
		s.reply.Attempts = join(s.past, s.reply.Attempts, verbatim.Attempt{N: q.Attempt, Start: s.start}, s.waited)
		s.reply.Attempts[len(s.reply.Attempts)-1].Cost = cost
		return 0, false, nil
	case !known && cost == nil:
		return 0, false, failed
	case !known: // what it may have cost needs an attempt to be saved with
		return 0, false, unknownFailure(failed, join(s.past, nil, verbatim.Attempt{N: q.Attempt, Start: s.start, Cost: cost}, s.waited))
	}
	*s.reply = verbatim.Reply{}
	s.past = join(s.past, f.Attempts, verbatim.Attempt{N: q.Attempt, Start: s.start, Status: f.Status, Class: f.Class, Err: reason(f)}, s.waited)
	if a := &s.past[len(s.past)-1]; a.Cost == nil {
		a.Cost = cost
	}
	own := *f // the model's own is the model's, which may use it again
	own.Attempts = s.past
	s.last, s.failed = &own, time.Now()
	again = s.attempt < s.model.p.maxAttempts() && passes(f.Class) && f.After <= longAfter
	return max(backoff(s.attempt), f.After), again, s.last
}

// maxAttempts returns the maximum number of attempts at this moment.
func (p *Pacer) maxAttempts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hasAnswered && p.FirstAttempts > 0 {
		return min(p.FirstAttempts, p.Attempts)
	}
	return p.Attempts
}

// admit waits at the gate, and then for money.
func (s *series) admit() error {
	p, again := s.model.p, s.attempt > 1
	t, err := p.enter(s.ctx, p.count(s.request, again), again)
	if err != nil {
		return err
	}
	t.again = again
	s.ticket = t
	if err = s.hold(); err != nil {
		p.report(&s.ticket, 0, nil, nil)
	}
	return err
}

// hold sets aside what a try may cost. A further try sends what the first one sent. A first one
// that can never be paid is held again if its token limit has become lower while it waited.
func (s *series) hold() (err error) {
	p, first := s.model.p, s.attempt == 1
	for {
		if first {
			s.request.MaxTokens = p.limit(s.request)
		}
		s.held, err = p.reservations.hold(s.ctx, *s.request)
		if err == nil || !first || p.limit(s.request) >= s.request.MaxTokens {
			return err
		}
	}
}

// ask asks once and settles what it cost: of a reply whose cost is not known, and of
// a failure, the most that it may have been. A model that panics gives its place back
// on the way, and where money was set aside for it, fails.
func (s *series) ask() (cost *verbatim.Money, err error) {
	defer func() {
		if s.ticket.reported {
			return
		}
		p := s.model.p
		cost = p.reservations.settleFailed(s.held, nil)
		p.report(&s.ticket, 0, nil, nil)
		if cost != nil {
			err = panicked(recover())
		}
	}()
	err = verbatim.AskInPlace(s.resendable(), s.model.model, s.request, s.reply)
	return s.settle(err, time.Since(s.start)), err
}

// resendable returns the context of an attempt, by which permission is requested before
// it is sent again.
func (s *series) resendable() context.Context {
	if s.held == nil {
		return s.ctx
	}
	ctx, held, reserved := s.ctx, s.held, &s.model.p.reservations
	return verbatim.WithResend(ctx, func() bool { return reserved.resend(ctx, held) })
}

// settle reports how an attempt went and how long it took to the gate and the budget, and returns
// what it may have cost.
func (s *series) settle(err error, took time.Duration) (cost *verbatim.Money) {
	p := s.model.p
	if err == nil {
		cost = p.reservations.settleAnswered(s.held, *s.request, s.reply)
		p.report(&s.ticket, took, s.reply, nil)
		return cost
	}
	cost = p.reservations.settleFailed(s.held, err)
	var f *verbatim.Failure
	errors.As(err, &f)
	p.report(&s.ticket, took, nil, f)
	return cost
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

// wait waits before a retry. It does not begin if ctx ends before the wait would: then
// the error is that of an ended context.
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
func (p *Pacer) count(q *verbatim.Request, again bool) float64 {
	limit, n := q.MaxTokens, 0
	if !again {
		limit = p.limit(q)
	}
	for _, m := range q.Prompt {
		for _, part := range m.Content {
			n += len(part.Text)
			if part.Image != nil {
				n += 4 * 1000
			}
		}
	}
	return float64(n)/4 + float64(max(0, limit))
}

// limit returns how many tokens a request may have at this moment.
func (p *Pacer) limit(q *verbatim.Request) int {
	if p.Limit == nil {
		return q.MaxTokens
	}
	return p.Limit(q)
}
