package pace

import (
	"errors"
	"sync"
	"time"

	"verbatim"
)

// A Config says how requests are sent to an endpoint. The zero value sends one request
// at a time, with one attempt.
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

// A Pacer controls the requests to one endpoint. It is safe for concurrent use by any
// number of goroutines, needs none of its own, and need not be closed.
type Pacer struct {
	Config
	reservations reservations
	start        time.Time // all times below are since it

	mu          sync.Mutex
	retries     waitQueue // retries: they go first
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

// ServerQueue tells the Pacer how many requests wait in the server's queue. A tuned
// concurrency is lowered: what waits there costs time and brings nothing.
func (p *Pacer) ServerQueue(waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.knee != nil && waiting > 0 && p.inFlight > 1 {
		p.knee.queued(p.inFlight, waiting)
	}
}

// Save has what requests reserve from the Budget saved before they are sent. It is
// called before the first of them.
func (p *Pacer) Save(r ReservationStore) {
	if p.Budget != nil {
		p.reservations.saved = r
	}
}

// ErrStopped is the error of a request that was not sent because of Stop.
var ErrStopped = errors.New("stopped before it was sent")

func (p *Pacer) now() time.Duration { return time.Since(p.start) }
