package pace

import (
	"context"
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
		limit, at = p.knee.room(now)
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
		p.knee.begin(now)
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
