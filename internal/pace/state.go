package pace

import (
	"time"

	"verbatim"
)

// A State is how an endpoint is asked at this moment.
type State struct {
	Limit    int // how many may be in flight
	InFlight int
	Peak     int // the most that were in flight
	Waiting  int
	// PausedUntil is the end of the pause of all workers, and Why its reason; the zero
	// time and "" without a pause.
	PausedUntil time.Time
	Why         string
	// PerMinute is the bound on requests that is known or was learned; 0: none.
	PerMinute float64
	// Window is how many requests the endpoint admits before it refuses for a
	// while, where it was found to count so; else 0.
	Window int
	// Spent is what the replies of this Pacer cost, as far as that is known.
	Spent verbatim.Money
	// Balance is that of the Budget, nil without one.
	Balance *Balance
	// Stopped is why nothing is asked any more; nil while something is.
	Stopped *verbatim.Failure
}

// State tells how the endpoint is asked.
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
		b := p.Budget.Balance()
		s.Balance = &b
	}
	return s
}
