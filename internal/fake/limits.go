package fake

import (
	"context"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// limits keeps the Limits.
type limits struct {
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

func (l *limits) start(c Limits) {
	l.config = c
	l.config.Burst = max(1, c.Burst)
	if c.Rate > 0 {
		l.interval = max(1, time.Duration(float64(time.Second)/c.Rate))
	}
	if c.Slots > 0 {
		l.slots = make(chan struct{}, c.Slots)
	}
}

// A quota is what headers tell of the limit that a request came under.
type quota struct {
	limit, remaining int
	reset            time.Duration // real time until all is free again
}

// admit lets a request through the bucket and the window, or says how long to
// wait. A refused request takes nothing from either. now is the time of a clock
// that runs factor times faster than the wait is counted. The quota is nil where
// there are no limits.
func (l *limits) admit(now time.Duration, factor float64) (*quota, *apiError) {
	if l.interval == 0 && l.config.Requests <= 0 {
		return nil, nil
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
		q.reset = max(0, l.full-now)
		q.limit, q.remaining = l.config.Burst, l.config.Burst-int((q.reset+l.interval-1)/l.interval)
	}
	q.reset = time.Duration(float64(q.reset) / factor)
	if wait <= 0 {
		return q, nil
	}
	return q, &apiError{status: http.StatusTooManyRequests, after: time.Duration(math.Ceil(float64(wait) / factor)),
		message: "Rate limit reached for requests. Please slow down."}
}

// bucketWait returns the wait until the bucket holds one request. It is kept as the
// time at which it will be full, in whole nanoseconds, which never drifts (the
// generic cell rate algorithm of ITU-T I.371).
func (l *limits) bucketWait(now time.Duration) time.Duration {
	if l.interval == 0 {
		return 0
	}
	return max(0, l.full-time.Duration(l.config.Burst-1)*l.interval-now)
}

// windowWait opens a new window where one is due, and returns the wait until the
// next one where this one is full.
func (l *limits) windowWait(now time.Duration) time.Duration {
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

// takeSlot waits for a slot and returns what gives it back; both results are nil
// where ctx ends first.
func (l *limits) takeSlot(ctx context.Context) (leave func(), t *apiError) {
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
		return nil, &apiError{status: http.StatusServiceUnavailable, message: "The server is overloaded: its queue is full."}
	}
	select {
	case l.slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, nil
	}
}
