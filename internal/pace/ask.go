package pace

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"verbatim"
)

// Wrap returns a Model that sends requests to m through the Pacer. Its failures are those of m.
// Further ones are of class quota or auth: the endpoint was given up, or the budget is used up.
// They have no attempts if the request was not sent.
//
// Request.Attempt is incremented on every retry. The reply or the failure has all attempts, in
// their order. The wait between two attempts is the Wait of the later one. A request with an
// answer is never sent again, and no request is sent twice at the same time.
func (p *Pacer) Wrap(m verbatim.Model) verbatim.Model { return &model{p, m} }

// A model sends requests to another one through a Pacer.
type model struct {
	p     *Pacer
	model verbatim.Model
}

// Ask implements verbatim.Model. Its frame is on the stack of every request in
// flight. So everything before and after the waits is in functions of its own.
func (m *model) Ask(ctx context.Context, q *verbatim.Request, reply *verbatim.Reply) error {
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
	cancel  context.CancelFunc // of ctx; nil if ctx is the caller's
	request *verbatim.Request
	reply   *verbatim.Reply

	// The current attempt.
	attempt  int // from 1
	ticket   ticket
	reserved *reservation
	start    time.Time
	waited   time.Duration // before start

	// The earlier attempts.
	past   []verbatim.Attempt
	last   *verbatim.Failure // of the last one
	failed time.Time         // when the last one failed
}

// end releases the context of the series.
func (s *series) end() {
	if s.cancel != nil {
		s.cancel()
	}
}

// begin waits until the request may be sent. Its error is the error of the request.
func (s *series) begin() error {
	if s.attempt++; s.attempt > 1 {
		s.request.Attempt++
	}
	if err := s.admit(); err != nil {
		return notSent(err, s.last, s.past)
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

// errTotal is the cause of the end of an attempt when the time for all attempts is over.
var errTotal = errors.New("the time limit for all attempts of a request")

// finish records the outcome of an attempt, which may have cost cost. If again, the request is to be
// sent again after a pause; otherwise err is its error.
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
	case !known: // the cost is saved with an attempt, so there must be one
		return 0, false, unknownFailure(failed, join(s.past, nil, verbatim.Attempt{N: q.Attempt, Start: s.start, Cost: cost}, s.waited))
	}
	s.past = join(s.past, f.Attempts, verbatim.Attempt{N: q.Attempt, Start: s.start, Status: f.Status, Class: f.Class, Err: reason(f)}, s.waited)
	if a := &s.past[len(s.past)-1]; a.Cost == nil {
		a.Cost = cost
	}
	own := *f // a copy: the model may use its failure again
	own.Attempts = s.past
	s.last, s.failed = &own, time.Now()
	again = s.attempt < s.model.p.maxAttempts() && passes(f.Class) && f.After <= longAfter
	return max(backoff(s.attempt), f.After), again, s.last
}

// maxAttempts returns the greatest number of attempts at this moment.
func (p *Pacer) maxAttempts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.hasAnswered && p.FirstAttempts > 0 {
		return min(p.FirstAttempts, p.Attempts)
	}
	return p.Attempts
}

// admit waits at the gate, and then for the budget.
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

// hold reserves the maximum cost of an attempt. Only the first attempt sets the token limit. If it
// can never be paid, but its token limit has become lower while it waited, it is reserved again.
func (s *series) hold() (err error) {
	p, first := s.model.p, s.attempt == 1
	for {
		if first {
			s.request.MaxTokens = p.limit(s.request)
		}
		s.reserved, err = p.reservations.hold(s.ctx, *s.request)
		if err == nil || !first || p.limit(s.request) >= s.request.MaxTokens {
			return err
		}
	}
}

// ask sends the request once and settles its cost. For a failure and for a reply of unknown cost,
// cost is the maximum, nil if that is unknown too. If the model panics, its slot is free again, and
// a panic of an attempt with a reservation becomes a failure.
func (s *series) ask() (cost *verbatim.Money, err error) {
	defer func() {
		if s.ticket.reported {
			return
		}
		p := s.model.p
		cost = p.reservations.settleFailed(s.reserved, nil)
		p.report(&s.ticket, 0, nil, nil)
		if cost != nil {
			err = panicked(recover())
			*s.reply = verbatim.Reply{}
		}
	}()
	err = s.model.model.Ask(s.resendable(), s.request, s.reply)
	return s.settle(err, time.Since(s.start)), err
}

// resendable returns the context of an attempt. By it, the model asks before it sends the request
// again on another connection (verbatim.WithResend).
func (s *series) resendable() context.Context {
	if s.reserved == nil {
		return s.ctx
	}
	ctx, reserved, all := s.ctx, s.reserved, &s.model.p.reservations
	return verbatim.WithResend(ctx, func() bool { return all.resend(ctx, reserved) })
}

// settle reports the outcome of an attempt, and how long it took, to the gate and the budget. It
// returns the cost as ask does.
func (s *series) settle(err error, took time.Duration) *verbatim.Money {
	p := s.model.p
	if err == nil {
		cost := p.reservations.settleAnswered(s.reserved, *s.request, s.reply)
		p.report(&s.ticket, took, s.reply, nil)
		return cost
	}
	cost := p.reservations.settleFailed(s.reserved, err)
	f, _ := errors.AsType[*verbatim.Failure](err)
	p.report(&s.ticket, took, nil, f)
	return cost
}

// panicked returns the failure of a panic with the value p; nil: the goroutine was ended.
func panicked(p any) error {
	return &verbatim.Failure{Class: verbatim.Content, Who: "model", Hint: "this is a defect of verbatim: please report it", Err: fmt.Errorf("panic: %v", p)}
}

// unknownFailure returns the failure of an error that is not a *verbatim.Failure, with the attempts.
func unknownFailure(err error, attempts []verbatim.Attempt) error {
	f := &verbatim.Failure{Class: verbatim.Transport, Err: err, Attempts: attempts}
	if errors.Is(err, context.DeadlineExceeded) {
		f.Class = verbatim.Deadline
	}
	last := &attempts[len(attempts)-1]
	last.Class, last.Err = f.Class, err.Error()
	return f
}

// wait waits before a retry. If ctx ends before the wait would, it returns an error at once.
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
		return errStopped
	case <-timer.C:
		return nil
	}
}

// notSent returns the error of a request that was not sent, or not sent again: err, with the
// attempts so far, or the last failure.
func notSent(err error, last *verbatim.Failure, past []verbatim.Attempt) error {
	var f *verbatim.Failure
	switch {
	case errors.As(err, &f):
		own := *f
		own.Attempts = past
		return &own
	case last != nil:
		return last
	case errors.Is(err, errStopped):
		return err
	}
	return &verbatim.Failure{Class: verbatim.Deadline, Who: "pace", Err: err}
}

// count returns how many tokens a request counts as, roughly, before it is answered. As providers
// do, it takes a fourth of the prompt's bytes and the token limit.
func (p *Pacer) count(q *verbatim.Request, again bool) float64 {
	limit, n := q.MaxTokens, 0
	if !again {
		limit = p.limit(q)
	}
	for _, m := range q.Prompt {
		for _, part := range m.Content {
			n += len(part.Text)
			if part.Image != nil {
				n += 4 * 1000 // a thousand tokens
			}
		}
	}
	return float64(n)/4 + float64(max(0, limit))
}

// limit returns the token limit of a request at this moment.
func (p *Pacer) limit(q *verbatim.Request) int {
	if p.Limit == nil {
		return q.MaxTokens
	}
	return p.Limit(q)
}

const (
	firstWait = 500 * time.Millisecond // before the second attempt
	longWait  = 30 * time.Second       // the longest wait that no server asked for
	// longAfter is the longest wait that a server may ask for. An endpoint that asks for
	// more is given up: the run ends without it and can be continued later.
	longAfter = 5 * time.Minute
	// longJitter bounds the random addition to the wait that a server asks for. A longer
	// one would cost time in every window of a server that counts by windows.
	longJitter = 250 * time.Millisecond
)

// passes reports whether a failure of the class may not occur at the next attempt.
func passes(c verbatim.Class) bool {
	switch c {
	case verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Cut:
		return true
	}
	return false
}

// backoff returns the wait after a number of attempts, from 1, where the server asks for none. Half of
// it is random, so that many workers do not continue at once.
func backoff(attempts int) time.Duration {
	d := longWait
	if attempts < 10 {
		d = min(longWait, firstWait<<(attempts-1))
	}
	return d/2 + time.Duration(rand.Float64()*float64(d/2))
}

// jittered returns the wait that a server asks for with a random addition, at most a tenth of it and
// longJitter.
func jittered(after time.Duration) time.Duration {
	return after + time.Duration(rand.Float64()*float64(min(after/10, longJitter)))
}

// join appends the attempts that a model recorded, or bare if it recorded none, to past. The first of
// them gets the wait before it.
func join(past, recorded []verbatim.Attempt, bare verbatim.Attempt, waited time.Duration) []verbatim.Attempt {
	if len(recorded) == 0 {
		bare.Total = time.Since(bare.Start)
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

// bytesPerToken is above the mean size of a token in any text and any tokenizer in use. A server
// that reports fewer tokens than that implies has not counted.
const bytesPerToken = 32

// bill sets Reply.Cost and Reply.Claimed. The cost is the larger of the server's claim and of its
// token counts at the prices of the models that answered. If one of these is unknown, or the token
// counts are not credible, the cost is unknown, and bill returns its maximum. Without a price of the
// model that is asked the claim is the cost.
func (p reservations) bill(q verbatim.Request, reply *verbatim.Reply) (maxCost *verbatim.Money) {
	if p.price == nil {
		return nil
	}
	claimed := reply.Cost
	q.MaxTokens = max(q.MaxTokens, len(reply.Text)+len(reply.Reasoning))
	own := p.cost(reply)
	bound := min(p.reservation(q), verbatim.MaxMoney)
	switch {
	case bound > 0 && (own == nil || !credible(reply, q.Prompt)):
		reply.Cost, reply.Claimed = nil, claimed
		if claimed != nil {
			bound = max(bound, *claimed)
		}
		return &bound
	case own != nil && (claimed == nil || *claimed < *own):
		reply.Cost, reply.Claimed = new(min(*own, verbatim.MaxMoney)), claimed
	}
	return nil
}

// credible reports whether the token counts of a reply can be those of its prompt and
// its text.
func credible(reply *verbatim.Reply, prompt verbatim.Prompt) bool {
	u := reply.Usage
	if u.Prompt == nil || u.Completion == nil {
		return false
	}
	sent, images := 0, false
	for _, m := range prompt {
		for _, part := range m.Content {
			sent += len(part.Text)
			images = images || part.Image != nil
		}
	}
	return plausible(*u.Prompt, sent) && plausible(output(u), len(reply.Text)+len(reply.Reasoning)) && (!images || *u.Prompt > 0)
}

// plausible reports whether a text of that many bytes can have that many tokens.
func plausible(tokens int64, bytes int) bool {
	return tokens >= 0 && tokens <= maxTokens && tokens*bytesPerToken >= int64(bytes)
}

// mayBeBilled reports whether an attempt without an answer may be billed: the request was sent and
// not clearly refused. A status of 300 and above is a refusal, except that of a gateway that waited
// too long for the server behind it. A lower status is that of an answer that had begun. Without a
// status, the server may have worked at a request that ran out of time or whose connection broke,
// but not if the connection never opened.
func mayBeBilled(err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	if !ok {
		return true
	}
	status := f.Status
	if n := len(f.Attempts); n > 0 {
		status = max(status, f.Attempts[n-1].Status)
		if f.Attempts[n-1].Partial != "" {
			return true
		}
	}
	switch {
	case status == http.StatusGatewayTimeout || status == timeoutCloudflare:
		return true
	case status >= 300:
		return false
	case status != 0:
		return true
	}
	switch f.Class {
	case verbatim.Transport:
		return !neverOpened(f.Err)
	case verbatim.Cut, verbatim.Content, verbatim.Deadline:
		return true
	}
	return false // a class and no status: refused before it was sent, or in the body
}

// timeoutCloudflare is the status of Cloudflare for what is status 504 elsewhere.
const timeoutCloudflare = 524

// neverOpened reports whether there was no connection on which the request could be sent.
func neverOpened(err error) bool {
	if err == nil {
		return false
	}
	var op *net.OpError
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.As(err, &dns), errors.As(err, &certificate), errors.As(err, &authority):
		return true
	case errors.As(err, &op):
		return op.Op == "dial" || op.Op == "proxyconnect"
	}
	// Package wire may replace an error by a text without addresses and keys.
	for _, words := range []string{"connection refused", "no such host", "certificate is not accepted"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}
