package pace

import (
	"errors"
	"sync"
	"time"

	"verbatim"
)

// A Config says how an endpoint is asked. The zero value asks one request at a
// time, once.
type Config struct {
	// Attempts is how often a request is sent in all, if it fails for a reason
	// that may pass; less than 1 is 1.
	Attempts int
	// FirstAttempts is the same while the endpoint has answered nothing, so that an
	// endpoint that is away is reported soon; 0: as Attempts.
	FirstAttempts int
	// Concurrency is how many requests may be in flight; less than 1 is 1.
	Concurrency int
	// Adaptive lets the Pacer tune the concurrency, at most Concurrency, and the
	// requests a minute that the endpoint admits. Otherwise Concurrency requests are in
	// flight unless the endpoint has asked for a pause.
	Adaptive bool
	// RequestsPerMinute and TokensPerMinute are bounds that are known; 0: not known.
	// Tokens are a fourth of the prompt's bytes and the token limit, until the
	// server says how many they were.
	RequestsPerMinute, TokensPerMinute float64
	// Price, unless nil, is what tokens cost: Reply.Cost is never less than they do,
	// whatever the server claims. It fills Attempt.Cost as well.
	Price *verbatim.Price
	// Budget, unless nil, is what requests are paid from. It needs a Price.
	Budget *Budget
	// Total bounds the time from the first try of a request, when it is sent, to
	// the end of its last; 0 does not.
	Total time.Duration
	// Limit, unless nil, says how many tokens a request may have at this moment. It is
	// called again when the request has waited for its turn, and what it says then is sent.
	Limit func(*verbatim.Request) int
}

// A Pacer stands before one endpoint. It is safe for concurrent use by any number
// of goroutines, needs none of its own, and need not be closed.
type Pacer struct {
	Config
	reservations reservations
	start        time.Time // all times below are since it

	mu          sync.Mutex
	retries     waitQueue // requests that were tried before: they go first
	queue       waitQueue
	waiting     int // in both, of those that have not gone away
	inFlight    int
	peak        int // the most that were in flight
	timer       *time.Timer
	alarm       time.Duration // when timer fires; 0: it is not set
	stopped     *verbatim.Failure
	over        chan struct{} // closed by Stop
	hasAnswered bool          // there was an answer
	spent       verbatim.Money

	pause    pause
	spread   spread
	requests spacer // by Config
	tokens   spacer
	headers  struct {
		requests, tokens spacer
		as               time.Duration // the newest reply that they were read from
	}
	knee  *knee // nil: Concurrency requests are in flight
	meter *meter
	sizes sizes
}

// New returns a Pacer. The Config is not looked at again.
func New(c Config) *Pacer {
	c.Attempts, c.Concurrency = max(1, c.Attempts), max(1, c.Concurrency)
	p := &Pacer{Config: c, reservations: reservations{price: c.Price, budget: c.Budget}, start: time.Now(), over: make(chan struct{})}
	p.requests.rate = max(0, c.RequestsPerMinute) / 60
	p.tokens.rate = max(0, c.TokensPerMinute) / 60
	if c.Adaptive {
		p.knee, p.meter = newKnee(c.Concurrency), &meter{}
	}
	return p
}

// Wrap returns a Model that asks m through the Pacer. Its failures are as m's,
// and of class quota or auth where the endpoint, or the budget, is at its end:
// those that were not asked because of it have no attempts.
//
// A request that is tried again counts Request.Attempt up. The attempts of all
// tries are in the reply, the one that succeeded last, or in the failure; what was
// waited between two tries is in the later one's Wait. An answer is never asked
// for again, and no request is ever asked twice at a time.
func (p *Pacer) Wrap(m verbatim.Model) verbatim.Model { return &model{p, m} }

// Stop lets what is in flight come to its end and nothing more be sent: who waits
// for a turn, or to try again, comes back at once, with its last failure or, where it
// was never sent, with ErrStopped.
func (p *Pacer) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.over:
		return
	default:
	}
	close(p.over)
	p.release(ErrStopped)
}

// ServerQueue tells the Pacer how many requests wait in the server's queue. A tuned
// concurrency is lowered: what waits there costs time and brings nothing.
func (p *Pacer) ServerQueue(waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.knee != nil && waiting > 0 && p.inFlight > 1 {
		p.knee.queued(p.inFlight, waiting)
	}
}

// ErrStopped is the error of a request that was not sent because of Stop.
var ErrStopped = errors.New("stopped before it was asked")

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

func (p *Pacer) now() time.Duration { return time.Since(p.start) }
