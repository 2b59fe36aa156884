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
	// Attempts is the greatest number of attempts of a request that fails for a reason
	// that may pass; less than 1 is 1.
	Attempts int
	// FirstAttempts is used instead of Attempts while the endpoint has answered no request.
	// So an endpoint that is away is reported soon. 0 is Attempts.
	FirstAttempts int
	// Concurrency is how many requests may be in flight; less than 1 is 1.
	Concurrency int
	// Adaptive says that the Pacer tunes the concurrency, at most Concurrency, and the
	// rate of requests. Otherwise Concurrency requests are in flight unless the endpoint
	// has asked for a pause.
	Adaptive bool
	// Start is the number in flight at which an Adaptive concurrency begins, such as that which
	// the endpoint bore before; less than 16 is 16.
	Start int
	// RequestsPerMinute and TokensPerMinute are known limits; 0: unknown. The tokens of a
	// request are a fourth of the prompt's bytes and the token limit, until the server
	// reports their number.
	RequestsPerMinute, TokensPerMinute float64
	// Price is the price of tokens, nil if it is unknown. With a price the Pacer sets
	// Attempt.Cost, and Reply.Cost to the larger of the price and the server's claim.
	Price *verbatim.Price
	// Served returns the price of a model that answered, by the name that the server gives it: Price
	// itself for the one that is asked, nil if it is unknown. Nil: Price holds whatever answers.
	Served func(model string) *verbatim.Price
	// Fallbacks are models that may answer in place of the one that is asked, or after it. The
	// Budget pays for all of them, and for those that have answered.
	Fallbacks []string
	// Budget pays for the requests; nil: there is no budget. It requires a Price.
	Budget *Budget
	// Total limits the time from the moment when the first attempt of a request is sent
	// to the end of its last; 0: no limit.
	Total time.Duration
	// Limit returns the token limit of a request at this moment; nil: that of the request
	// is sent. It is called again when the request has waited, and that limit is sent.
	Limit func(*verbatim.Request) int
}

// A Pacer controls the requests to one endpoint. It is safe for concurrent use by any
// number of goroutines, needs none of its own, and need not be closed.
type Pacer struct {
	Config
	reservations reservations
	start        time.Time // all times below are since it

	mu          sync.Mutex
	retries     waitQueue // before queue
	queue       waitQueue
	waiting     int // in both queues, without those whose callers have gone
	inFlight    int
	peak        int // the greatest value of inFlight
	timer       *time.Timer
	alarm       time.Duration // when timer fires; 0: it is not set
	stopped     *verbatim.Failure
	over        chan struct{} // closed by Stop
	hasAnswered bool          // there was an answer
	heard       bool          // there was an answer or a failure
	spent       verbatim.Money

	pause    pause
	spread   spread
	requests spacer // by Config
	tokens   spacer
	headers  struct {
		requests, tokens spacer
		as               time.Duration // when the request was sent whose reply had them
	}
	knee  *knee // nil: Concurrency requests are in flight
	meter *meter
	sizes sizes
}

// New returns a Pacer.
func New(c Config) *Pacer {
	c.Attempts, c.Concurrency = max(1, c.Attempts), max(1, c.Concurrency)
	p := &Pacer{Config: c, reservations: newReservations(c), start: time.Now(), over: make(chan struct{})}
	p.requests.rate = max(0, c.RequestsPerMinute) / 60
	p.tokens.rate = max(0, c.TokensPerMinute) / 60
	if c.Adaptive {
		p.knee, p.meter = newKnee(c.Start, c.Concurrency), &meter{}
	}
	return p
}

// ServerQueue tells the Pacer how many requests wait in the server's queue. An Adaptive concurrency
// is lowered: requests that wait there bring no throughput.
func (p *Pacer) ServerQueue(waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.knee != nil && waiting > 0 && p.inFlight > 1 {
		p.knee.queued(p.inFlight, waiting)
	}
}

// Save sets where reservations from the Budget are saved before requests are sent. Call it before
// the first request.
func (p *Pacer) Save(r reservationStore) {
	if p.Budget != nil {
		p.reservations.saved = r
	}
}

// errStopped is the error of a request that was not sent because of Stop.
var errStopped = errors.New("stopped before it was sent")

func (p *Pacer) now() time.Duration { return time.Since(p.start) }
