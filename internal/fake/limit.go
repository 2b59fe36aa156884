package fake

import (
	"context"
	"errors"
	"maps"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"verbatim"
)

// Limits are the limits of a server; the zero value has no limits. A request above the rate or
// the window gets status 429. Its Retry-After, in whole seconds of real time, is the wait after
// which it would be accepted if no other request came.
type Limits struct {
	Slots int // answers at the same time; further requests wait in a queue, in their order; 0: any number
	// Metrics says that the server reports the length of the queue at /metrics, as vLLM does, and
	// not the number of slots at /props.
	Metrics bool
	Queue   int // the length of the queue; 0: any. Further requests get status 503.
	// Rate is the number of requests per second that a token bucket of size Burst gains; 0:
	// no bucket. Burst 0 is 1.
	Rate  float64
	Burst int
	// Requests is the number of requests that are accepted in each fixed window; 0: any.
	// The first window starts with the first request.
	Requests int
	Window   time.Duration
}

// A Limiter enforces Limits. Start must be called first.
type limiter struct {
	config  Limits
	slots   chan struct{}
	waiting atomic.Int64

	mu         sync.Mutex
	interval   time.Duration // the bucket gains a request in this time
	full       time.Duration // when the bucket is full again
	windowOpen bool          // a window has begun
	window     time.Duration // when the current window began
	used       int           // requests in the current window
}

// Start sets the limits, before the first request.
func (l *limiter) Start(c Limits) {
	l.config = c
	l.config.Burst = max(1, c.Burst)
	if c.Rate > 0 {
		l.interval = max(1, time.Duration(float64(time.Second)/c.Rate))
	}
	if c.Slots > 0 {
		l.slots = make(chan struct{}, c.Slots)
	}
}

// A Quota is the state of a limit, as headers report it.
type quota struct {
	Limit, Remaining int
	Reset            time.Duration // real time until Remaining is Limit again
}

// Admit accepts a request, or returns how long to wait, in real time; 0: it is accepted. A refused
// request counts neither in the bucket nor in the window. now is the time of a clock that runs
// factor times faster than real time. The quota is nil if there are no limits.
func (l *limiter) admit(now time.Duration, factor float64) (*quota, time.Duration) {
	if l.interval == 0 && l.config.Requests <= 0 {
		return nil, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := max(l.bucketWait(now), l.windowWait(now))
	if wait <= 0 {
		l.full = max(l.full, now) + l.interval
		l.used++
	}
	q := &quota{l.config.Requests, l.config.Requests - l.used, l.window + l.config.Window - now}
	if l.config.Requests == 0 {
		q.Reset = max(0, l.full-now)
		q.Limit, q.Remaining = l.config.Burst, l.config.Burst-int((q.Reset+l.interval-1)/l.interval)
	}
	q.Reset = time.Duration(float64(q.Reset) / factor)
	return q, time.Duration(math.Ceil(float64(max(0, wait)) / factor))
}

// bucketWait returns the wait until the bucket has one request. The bucket is represented by the
// time at which it is full, in whole nanoseconds, which does not drift (the generic cell rate
// algorithm of ITU-T I.371).
func (l *limiter) bucketWait(now time.Duration) time.Duration {
	if l.interval == 0 {
		return 0
	}
	return max(0, l.full-time.Duration(l.config.Burst-1)*l.interval-now)
}

// windowWait begins a new window if the current one is over, and returns the wait until the
// next one; 0 if the window has room.
func (l *limiter) windowWait(now time.Duration) time.Duration {
	if l.config.Requests <= 0 {
		return 0
	}
	switch {
	case !l.windowOpen:
		l.windowOpen, l.window = true, now
	case now-l.window >= l.config.Window:
		l.window += (now - l.window) / l.config.Window * l.config.Window
		l.used = 0
	}
	if l.used < l.config.Requests {
		return 0
	}
	return l.window + l.config.Window - now
}

// errFull is the error of TakeSlot when the queue has its full length.
var errFull = errors.New("the queue is full")

// Waiting returns how many requests wait for a slot.
func (l *limiter) Waiting() int64 { return l.waiting.Load() }

// TakeSlot waits for a slot. leave gives it back. The error is errFull, or that of ctx if ctx ends
// first.
func (l *limiter) takeSlot(ctx context.Context) (leave func(), err error) {
	if l.slots == nil {
		return func() {}, nil
	}
	leave = func() { <-l.slots }
	select {
	case l.slots <- struct{}{}:
		return leave, nil
	default:
	}
	defer l.waiting.Add(-1)
	if n := l.waiting.Add(1); l.config.Queue > 0 && n > int64(l.config.Queue) {
		return nil, errFull
	}
	select {
	case l.slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Counts are the counts of a server, from its start.
type Counts struct {
	Requests int64 `json:"requests"` // for an answer, also those that could not be read
	Answered int64 `json:"answered"` // whole answers that were sent to their end
	Refused  int64 `json:"refused"`  // responses with the status of an error
	Broken   int64 `json:"broken"`   // answers that were incomplete, by a fault or because the client went away
	Left     int64 `json:"left"`     // clients that went away while they waited for a slot
	InFlight int64 `json:"in_flight"`
	Peak     int64 `json:"peak"`    // the greatest number in flight at once
	Prompts  int64 `json:"prompts"` // different ones
	Unknown  int64 `json:"unknown"` // requests whose prompt no item has
	// Twice is the number of prompts with more than one whole answer.
	Twice  int64 `json:"answered_twice"`
	Images int64 `json:"images"`
	// PromptTokens and CompletionTokens are the tokens that a provider would bill: those of
	// every answer that was begun, whole or not.
	PromptTokens     int64            `json:"prompt_tokens"`
	CompletionTokens int64            `json:"completion_tokens"`
	Faults           map[string]int64 `json:"faults,omitempty"` // by kind
	Statuses         map[int]int64    `json:"statuses,omitempty"`
}

// A tally is the number of requests and of whole answers of a prompt.
type tally struct{ asked, answered int32 }

// A Counter counts what Counts has. It is safe for concurrent use.
type counter struct {
	Requests, Refused, Broken, Left, InFlight, Unknown atomic.Int64
	PromptTokens, CompletionTokens                     atomic.Int64

	answered, peak, images atomic.Int64

	mu       sync.Mutex
	position int64
	twice    int64
	prompts  map[[16]byte]tally
	faults   map[string]int64
	statuses map[int]int64
}

// Enter counts a request that arrives.
func (c *counter) enter() {
	c.Requests.Add(1)
	n := c.InFlight.Add(1)
	for {
		peak := c.peak.Load()
		if n <= peak || c.peak.CompareAndSwap(peak, n) {
			return
		}
	}
}

// Leave counts a request that is no longer in flight.
func (c *counter) leave() { c.InFlight.Add(-1) }

// AddRequest counts a request for the prompt p with the key k. It returns its position in the order
// of arrival, from 1, and the number of earlier requests for this prompt.
func (c *counter) addRequest(k [16]byte, p verbatim.Prompt) (position int64, before int) {
	images := int64(0)
	for _, m := range p {
		for _, part := range m.Content {
			if part.Image != nil {
				images++
			}
		}
	}
	c.images.Add(images)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.position++
	if c.prompts == nil {
		c.prompts = map[[16]byte]tally{}
	}
	t := c.prompts[k]
	before = int(t.asked)
	t.asked++
	c.prompts[k] = t
	return c.position, before
}

// AddAnswered counts a whole answer to the prompt with the key k. It is called before the last
// bytes are sent, so that the counts are right for a client that has them. by is 1, or -1 to
// take it back.
func (c *counter) addAnswered(k [16]byte, by int32) {
	c.answered.Add(int64(by))
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.prompts[k]
	before := t.answered
	t.answered += by
	c.prompts[k] = t
	if max(before, t.answered) == 2 {
		c.twice += int64(by)
	}
}

// Fault counts a fault of a kind.
func (c *counter) fault(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.faults == nil {
		c.faults = map[string]int64{}
	}
	c.faults[kind]++
}

// Status counts a response with an HTTP status.
func (c *counter) Status(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.statuses == nil {
		c.statuses = map[int]int64{}
	}
	c.statuses[n]++
}

// Snapshot returns the counts so far.
func (c *counter) snapshot() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Counts{
		Requests: c.Requests.Load(), Answered: c.answered.Load(), Refused: c.Refused.Load(), Broken: c.Broken.Load(),
		Left: c.Left.Load(), InFlight: c.InFlight.Load(), Peak: c.peak.Load(), Prompts: int64(len(c.prompts)), Unknown: c.Unknown.Load(),
		Twice: c.twice, Images: c.images.Load(), PromptTokens: c.PromptTokens.Load(), CompletionTokens: c.CompletionTokens.Load(),
		Faults: maps.Clone(c.faults), Statuses: maps.Clone(c.statuses),
	}
}

// Asked returns how often a prompt was asked, and how often it was answered whole.
func (c *counter) Asked(k [16]byte) (asked, answered int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.prompts[k]
	return int(t.asked), int(t.answered)
}

// A Clock runs Factor times faster than real time, from its start.
type clock struct {
	start  time.Time
	Factor float64
}

// newClock returns a Clock that starts now. Factor 0 is 1.
func newClock(factor float64) clock {
	if factor == 0 {
		factor = 1
	}
	return clock{time.Now(), factor}
}

// Now returns the time of this clock since its start.
func (c clock) Now() time.Duration { return time.Duration(float64(time.Since(c.start)) * c.Factor) }

// Sleep waits for a duration of this clock. If ctx ends first, it returns its error.
func (c clock) Sleep(ctx context.Context, d time.Duration) error {
	return Sleep(ctx, time.Duration(float64(d)/c.Factor))
}

// Sleep waits for a duration of real time. If ctx ends first, it returns its error.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
