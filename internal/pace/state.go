package pace

import (
	"time"

	"verbatim"
)

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
