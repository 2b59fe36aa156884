// Package limit holds the limits of the test server: a rate, a window, and the answers that are
// written at the same time. It knows nothing of protocols.
package limit

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Limits are how many requests the server takes; the zero value has no limits. Further
// ones get status 429, with a Retry-After in whole real seconds, rounded up, after
// which the request would have passed if no other had come.
type Limits struct {
	Slots int // answers at once; the others wait in a queue, first come first served
	// Metrics says the length of the queue at /metrics, as vLLM does, and not the number of
	// slots at /props.
	Metrics bool
	Queue   int // how many may wait; 0 is any number. More get status 503.
	// Rate is the requests a second that fill a token bucket of size Burst; 0: no
	// bucket. Burst 0 is 1.
	Rate  float64
	Burst int
	// Requests is how many requests are taken in each fixed window; 0 is any number.
	// The first window starts with the first request.
	Requests int
	Window   time.Duration
}

// A Limiter keeps the Limits.
type Limiter struct {
	config  Limits
	slots   chan struct{}
	waiting atomic.Int64

	mu         sync.Mutex
	interval   time.Duration // the bucket gains a request in this time
	full       time.Duration // when the bucket is full again
	windowOpen bool          // a window has begun
	window     time.Duration // when the current window began
	used       int           // requests in it
}

// Start sets the limits, before the first request.
func (l *Limiter) Start(c Limits) {
	l.config = c
	l.config.Burst = max(1, c.Burst)
	if c.Rate > 0 {
		l.interval = max(1, time.Duration(float64(time.Second)/c.Rate))
	}
	if c.Slots > 0 {
		l.slots = make(chan struct{}, c.Slots)
	}
}

// A Quota is what headers tell of the limit that a request came under.
type Quota struct {
	Limit, Remaining int
	Reset            time.Duration // real time until all is free again
}

// Admit lets a request through the bucket and the window, or says how long to
// wait: 0 lets it through. A refused request takes nothing from either. now is the time of a clock
// that runs factor times faster than the wait is counted. The quota is nil where
// there are no limits.
func (l *Limiter) Admit(now time.Duration, factor float64) (*Quota, time.Duration) {
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
	q := &Quota{l.config.Requests, l.config.Requests - l.used, l.window + l.config.Window - now}
	if l.config.Requests == 0 {
		q.Reset = max(0, l.full-now)
		q.Limit, q.Remaining = l.config.Burst, l.config.Burst-int((q.Reset+l.interval-1)/l.interval)
	}
	q.Reset = time.Duration(float64(q.Reset) / factor)
	return q, time.Duration(math.Ceil(float64(max(0, wait)) / factor))
}

// bucketWait returns the wait until the bucket holds one request. It is kept as the
// time at which it will be full, in whole nanoseconds, which never drifts (the
// generic cell rate algorithm of ITU-T I.371).
func (l *Limiter) bucketWait(now time.Duration) time.Duration {
	if l.interval == 0 {
		return 0
	}
	return max(0, l.full-time.Duration(l.config.Burst-1)*l.interval-now)
}

// windowWait opens a new window where one is due, and returns the wait until the
// next one where this one is full.
func (l *Limiter) windowWait(now time.Duration) time.Duration {
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

// ErrFull says that as many requests wait as may.
var ErrFull = errors.New("the queue is full")

// Waiting returns how many requests wait for a slot.
func (l *Limiter) Waiting() int64 { return l.waiting.Load() }

// TakeSlot waits for a slot and returns what gives it back. The error is ErrFull, or that of ctx
// where it ends first.
func (l *Limiter) TakeSlot(ctx context.Context) (leave func(), err error) {
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
		return nil, ErrFull
	}
	select {
	case l.slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
