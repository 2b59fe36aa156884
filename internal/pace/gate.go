package pace

import (
	"context"
	"fmt"
	"time"

	"verbatim"
)

// enter waits until a request of about tokens tokens may be sent; again says that it is a retry,
// which goes first. The error is the failure for which the endpoint was given up, errStopped, or
// that of ctx.
func (p *Pacer) enter(ctx context.Context, tokens float64, again bool) (ticket, error) {
	if err := ctx.Err(); err != nil {
		return ticket{}, err
	}
	now := p.now()
	p.mu.Lock()
	if p.stopped != nil {
		defer p.mu.Unlock()
		return ticket{}, p.stopped
	}
	select {
	case <-p.over:
		p.mu.Unlock()
		return ticket{}, errStopped
	default:
	}
	if p.waiting == 0 {
		if open, _ := p.open(now); open {
			t := p.admit(now, tokens)
			p.mu.Unlock()
			return t, nil
		}
	}
	w := &waiter{ready: make(chan struct{}), tokens: tokens}
	p.waiting++
	if again {
		p.retries.push(w)
	} else {
		p.queue.push(w)
	}
	p.pump(now)
	p.mu.Unlock()
	select {
	case <-w.ready:
		return w.ticket, w.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !w.done {
		w.gone = true
		p.waiting--
	} else if w.err == nil {
		p.inFlight--
		p.pump(p.now())
	}
	return ticket{}, ctx.Err()
}

// open reports whether a request may be sent now, and if not, when that may be. The time is 0 if it
// depends on a response.
func (p *Pacer) open(now time.Duration) (bool, time.Duration) {
	if now < p.pause.until {
		return false, p.pause.until
	}
	if p.pause.on {
		p.resume(now)
	}
	limit, at := p.room(now)
	if p.inFlight >= limit {
		return false, at
	}
	if p.Budget != nil && !p.heard && p.inFlight > 0 {
		return false, 0 // the first reply shows which model answers, and so what must be reserved
	}
	turn := max(p.requests.turn(now), p.tokens.turn(now), p.headers.requests.turn(now), p.headers.tokens.turn(now))
	if p.meter != nil {
		turn = max(turn, p.meter.next)
	}
	return now >= turn, turn
}

// resume ends a pause. Workers continue one after the other, over a time as long as the pause, at
// most longSpread. If the quota of a window is known, they continue over the time of an answer.
func (p *Pacer) resume(now time.Duration) {
	over := min(p.pause.until-p.pause.from, longSpread)
	p.pause.on, p.pause.resumed, p.pause.bad = false, now, 0
	if p.meter != nil {
		p.meter.resume(now)
		switch {
		case p.meter.rate > 0: // the meter spaces the requests
			over = 0
		case p.meter.quota > 0:
			over = min(seconds(p.sizes.time), longSpread/4)
		}
	}
	p.spread.gap = 0
	limit, _ := p.room(now)
	p.spread = spread{base: p.inFlight, gap: over / time.Duration(limit), begun: now}
}

// longSpread is the longest time over which the workers continue after a pause.
const longSpread = time.Second

// room returns how many requests may be in flight, and when that number grows without a response;
// 0: it does not.
func (p *Pacer) room(now time.Duration) (int, time.Duration) {
	limit, at := p.Concurrency, time.Duration(0)
	if p.knee != nil {
		limit = p.knee.room()
	}
	if s := &p.spread; s.gap > 0 {
		back := int((now - s.begun) / s.gap)
		if s.base+1+back < limit {
			return s.base + 1 + back, s.begun + time.Duration(back+1)*s.gap
		}
		s.gap = 0
	}
	return limit, at
}

// admit counts a request that is sent now.
func (p *Pacer) admit(now time.Duration, tokens float64) ticket {
	p.inFlight++
	p.peak = max(p.peak, p.inFlight)
	p.requests.pass(now, 1)
	p.tokens.pass(now, tokens)
	p.headers.requests.pass(now, 1)
	p.headers.tokens.pass(now, tokens)
	if p.knee != nil {
		p.meter.admit(now, p.knee.gap(p.sizes.time))
	}
	return ticket{at: now, met: p.inFlight, tokens: tokens}
}

// pump admits all waiting requests that may be sent now, and sets the timer for the next one.
func (p *Pacer) pump(now time.Duration) {
	for p.waiting > 0 {
		open, at := p.open(now)
		if !open {
			p.wake(now, at)
			return
		}
		w := p.retries.pop()
		if w == nil {
			w = p.queue.pop()
		}
		p.waiting--
		w.ticket, w.done = p.admit(now, w.tokens), true
		close(w.ready)
	}
}

// wake sets the timer, unless it is set for an earlier time; at 0: there is no time to set.
func (p *Pacer) wake(now, at time.Duration) {
	if at == 0 || p.alarm != 0 && p.alarm <= at {
		return
	}
	p.alarm = at
	if p.timer == nil {
		p.timer = time.AfterFunc(at-now, p.tick)
		return
	}
	p.timer.Reset(at - now)
}

func (p *Pacer) tick() {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alarm = 0
	p.pump(now)
}

// Stop lets the requests in flight finish and prevents further ones. A request that waits returns at
// once: with its last failure, or with errStopped if it was never sent.
func (p *Pacer) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.over:
		return
	default:
	}
	close(p.over)
	p.release(errStopped)
}

// stop gives up the endpoint: all requests that wait, and all later ones, fail with f.
func (p *Pacer) stop(f *verbatim.Failure) {
	if p.stopped != nil {
		return
	}
	own := *f
	own.Attempts = nil
	p.stopped = &own
	p.release(p.stopped)
}

// release ends the wait of all requests with an error.
func (p *Pacer) release(err error) {
	for _, l := range []*waitQueue{&p.retries, &p.queue} {
		for w := l.pop(); w != nil; w = l.pop() {
			p.waiting--
			w.err, w.done = err, true
			close(w.ready)
		}
	}
}

// A pause stops all requests to the endpoint.
type pause struct {
	on      bool // there is a pause, and no request was sent since its end
	from    time.Duration
	until   time.Duration
	why     string
	resumed time.Duration // when the last pause ended
	bad     int           // failures since the last pause or answer
	rounds  int           // pauses since the last answer
}

// hold begins a pause, or extends the current one to d from now.
func (p *pause) hold(now, d time.Duration, why string) {
	if !p.on {
		p.on, p.from = true, now
	}
	if now+d > p.until {
		p.until, p.why = now+d, why
	}
}

// A spread lets workers continue one after the other after a pause. base requests were in flight
// when it began, and one more may be after every gap.
type spread struct {
	base  int
	gap   time.Duration // 0: it is over
	begun time.Duration
}

// A ticket is the permission to send one request now.
type ticket struct {
	at       time.Duration
	met      int     // how many requests were in flight, this one included
	tokens   float64 // that count towards tokens per minute
	again    bool    // it is a retry
	reported bool    // its outcome was reported
}

// A waiter is a request at the gate.
type waiter struct {
	ready  chan struct{} // closed when ticket or err is set
	tokens float64
	ticket ticket
	err    error
	done   bool // ready is closed
	gone   bool // its caller has stopped waiting
}

// A waitQueue holds waiters in the order in which they came.
type waitQueue []*waiter

func (q *waitQueue) push(w *waiter) { *q = append(*q, w) }

// pop removes and returns the first waiter whose caller has not gone; nil if the queue is empty.
func (q *waitQueue) pop() *waiter {
	for len(*q) > 0 {
		w := (*q)[0]
		(*q)[0] = nil
		if *q = (*q)[1:]; !w.gone {
			return w
		}
	}
	return nil
}

// A State is the state of a Pacer.
type State struct {
	Limit    int // how many requests may be in flight
	InFlight int
	Peak     int // the greatest number in flight so far
	Waiting  int
	// PausedUntil is the end of the pause of all workers, and Why its reason; the zero
	// time and "" without a pause.
	PausedUntil time.Time
	Why         string
	// PerMinute is the limit on requests per minute that is known or was learned; 0: none.
	PerMinute float64
	// Window is the number of requests that the endpoint admits in a window of time, as
	// far as that was learned; otherwise 0.
	Window int
	// Spent is the cost of the replies of this Pacer, as far as it is known.
	Spent verbatim.Money
	// Balance is that of the Budget, nil without one.
	Balance *Balance
	// Stopped is the failure for which the endpoint was given up; otherwise nil.
	Stopped *verbatim.Failure
}

// State returns the state of the Pacer.
func (p *Pacer) State() State {
	now := p.now()
	p.mu.Lock()
	limit, _ := p.room(now)
	s := State{Limit: limit, InFlight: p.inFlight, Peak: p.peak, Waiting: p.waiting, Spent: p.spent, Stopped: p.stopped}
	if now < p.pause.until {
		s.PausedUntil, s.Why = p.start.Add(p.pause.until), p.pause.why
	}
	s.PerMinute = p.requests.rate * 60
	bound := func(rate float64) {
		if rate > 0 && (s.PerMinute == 0 || rate*60 < s.PerMinute) {
			s.PerMinute = rate * 60
		}
	}
	if p.headers.requests.turn(now) > 0 {
		bound(p.headers.requests.rate)
	}
	if p.meter != nil {
		bound(p.meter.pace(now))
		s.Window = p.meter.quota
	}
	p.mu.Unlock()
	if p.Budget != nil {
		s.Balance = new(p.Budget.Balance())
	}
	return s
}

// report reports the outcome of an attempt to the gate: a reply that took took, a failure, or neither
// if it was not sent. Its slot is free again.
func (p *Pacer) report(t *ticket, took time.Duration, reply *verbatim.Reply, f *verbatim.Failure) {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	t.reported = true
	if p.knee != nil && (p.heard || p.Budget == nil) {
		p.knee.see(p.peak)
	}
	p.heard = p.heard || f != nil || reply != nil
	limit, _ := p.room(now)
	full := p.waiting > 0 && (p.inFlight >= limit || p.knee != nil && p.knee.gap(p.sizes.time) > 0)
	p.inFlight--
	switch {
	case f != nil:
		p.failed(now, *t, f)
	case reply != nil:
		p.answered(now, *t, took, reply, full)
	}
	p.pump(now)
}

func (p *Pacer) answered(now time.Duration, t ticket, took time.Duration, reply *verbatim.Reply, full bool) {
	p.pause.bad, p.pause.rounds, p.hasAnswered = 0, 0, true
	if reply.Cost != nil {
		p.spent = plus(p.spent, max(0, *reply.Cost))
	}
	if u := reply.Usage; t.tokens > 0 && u.Prompt != nil && u.Completion != nil {
		over := t.tokens - float64(*u.Prompt) - float64(*u.Completion)
		p.tokens.giveBack(max(0, over))
	}
	if len(reply.Limits) > 0 && t.at >= p.headers.as {
		p.headers.as = t.at
		limit, _ := p.room(now)
		clock := p.start.Add(now)
		if a, ok := readAllowance(reply.Limits, requestHeaders, clock); ok {
			p.headers.requests.heed(now, a, a.rate(float64(p.inFlight), float64(limit)))
		}
		if a, ok := readAllowance(reply.Limits, tokenHeaders, clock); ok {
			p.headers.tokens.heed(now, a, a.rate(0, 0))
		}
	}
	if p.knee != nil {
		p.knee.answered(t.met, p.sizes.latency(took.Seconds(), sizeOf(reply)), full)
	}
}

// failed decides what a failure means for all requests: the end of the endpoint, a pause, or no
// further growth of the concurrency.
func (p *Pacer) failed(now time.Duration, t ticket, f *verbatim.Failure) {
	late := t.at < p.pause.resumed || p.pause.on && t.at < p.pause.from // it was sent before the pause
	switch {
	case f.Class == verbatim.Quota || f.Class == verbatim.Auth:
		p.stop(f)
	case f.Class == verbatim.Rate && f.After > longAfter:
		p.stop(&verbatim.Failure{Class: verbatim.Quota, Status: f.Status, After: f.After, Who: f.Who,
			Err:  fmt.Errorf("the server asks for a pause of %v", f.After.Round(time.Second)),
			Hint: "run the same command again when that time is over: answered items are saved"})
	case f.Class == verbatim.Rate:
		p.refused(now, t, f, late)
	case f.Class == verbatim.Overload && f.After > 0 && f.After <= longAfter:
		p.pause.hold(now, jittered(f.After), because(f))
		p.calm()
	case f.Class == verbatim.Deadline: // too many requests in flight may be the reason
		p.calm()
	case f.Class == verbatim.Overload || f.Class == verbatim.Transport:
		p.calm()
		if late || t.again {
			return
		}
		// Failures between answers are failures of single requests, even if every third
		// fails. Many failures without an answer between them are those of the endpoint.
		// Retries do not count: their requests fail more often than others.
		limit, _ := p.room(now)
		if p.pause.bad++; p.pause.bad >= min(manyBad, 2*limit) {
			p.pause.bad = 0
			p.pause.rounds++
			p.pause.hold(now, backoff(p.pause.rounds), because(f))
		}
	}
}

// manyBad is the number of failures without an answer between them after which all requests pause.
// If 30 % of requests fail, about one in 10,000 begins that many by chance.
const manyBad = 8

// refused handles a refusal of class rate.
func (p *Pacer) refused(now time.Duration, t ticket, f *verbatim.Failure, late bool) {
	if p.knee != nil {
		byNumber := f.After == 0 && p.meter.innocent(t.at)
		if !late && !p.meter.foreseen() {
			p.knee.refused(t.met, byNumber)
		}
		p.meter.refuse(t.at, now, f.After)
	}
	switch {
	case f.After > 0:
		p.pause.hold(now, jittered(f.After), because(f))
	case !late:
		p.pause.rounds++
		p.pause.hold(now, backoff(p.pause.rounds), because(f))
	}
}

// calm keeps the concurrency for a round: the latencies of a broken server do not show its capacity.
func (p *Pacer) calm() {
	if p.knee != nil {
		p.knee.failed()
	}
}

// because returns the reason of a pause in a few words.
func because(f *verbatim.Failure) string {
	s := string(f.Class)
	if f.Status != 0 {
		s = fmt.Sprintf("%s, HTTP %d", s, f.Status)
	}
	if f.After > 0 {
		s += fmt.Sprintf(", asked to wait %v", f.After.Round(time.Millisecond))
	}
	return s
}
