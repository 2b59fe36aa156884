package fake

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"
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
