package fake

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// limits keeps the Limits.
type limits struct {
	config  Limits
	slots   chan struct{}
	waiting atomic.Int64

	mu     sync.Mutex
	level  float64       // of the bucket
	filled time.Duration // when the level was that
	began  bool          // a window has begun
	window time.Duration // when the current window began
	used   int           // requests in it
}

func (l *limits) start(c Limits) {
	l.config = c
	l.config.Burst = max(1, c.Burst)
	l.level = float64(l.config.Burst)
	if c.Slots > 0 {
		l.slots = make(chan struct{}, c.Slots)
	}
}

// pass lets a request through the bucket and the window, or says how long to
// wait. A refused request takes nothing from either. now is the time of a clock
// that runs factor times faster than the wait is counted.
func (l *limits) pass(now time.Duration, factor float64, h http.Header) *trouble {
	if l.config.Rate <= 0 && l.config.Requests <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := max(l.bucket(now), l.windowed(now))
	limit, remaining := l.config.Requests, l.config.Requests-l.used
	if wait <= 0 {
		l.level--
		l.used++
		remaining--
	}
	if limit == 0 {
		limit, remaining = l.config.Burst, int(l.level)
	}
	h.Set("X-Ratelimit-Limit-Requests", strconv.Itoa(limit))
	h.Set("X-Ratelimit-Remaining-Requests", strconv.Itoa(max(0, remaining)))
	h.Set("X-Ratelimit-Reset-Requests", time.Duration(float64(l.reset(now))/factor).Round(time.Millisecond).String())
	if wait <= 0 {
		return nil
	}
	return &trouble{status: http.StatusTooManyRequests, after: time.Duration(math.Ceil(float64(wait) / factor)),
		message: "Rate limit reached for requests. Please slow down."}
}

// bucket fills the bucket and returns the wait until it holds one request.
func (l *limits) bucket(now time.Duration) time.Duration {
	if l.config.Rate <= 0 {
		return 0
	}
	if now > l.filled {
		l.level = min(float64(l.config.Burst), l.level+(now-l.filled).Seconds()*l.config.Rate)
		l.filled = now
	}
	if l.level >= 1 {
		return 0
	}
	return max(1, time.Duration((1-l.level)/l.config.Rate*float64(time.Second)))
}

// windowed opens a new window where one is due, and returns the wait until the
// next one where this one is full.
func (l *limits) windowed(now time.Duration) time.Duration {
	if l.config.Requests <= 0 {
		return 0
	}
	switch {
	case !l.began:
		l.began, l.window = true, now
	case now-l.window >= l.config.Window:
		l.window += (now - l.window) / l.config.Window * l.config.Window
		l.used = 0
	}
	if l.used < l.config.Requests {
		return 0
	}
	return l.window + l.config.Window - now
}

// reset returns how long it takes until all is free again.
func (l *limits) reset(now time.Duration) time.Duration {
	if l.config.Requests > 0 {
		return l.window + l.config.Window - now
	}
	return time.Duration((float64(l.config.Burst) - l.level) / l.config.Rate * float64(time.Second))
}

// slot waits for a slot and returns what gives it back; both results are nil
// where ctx ends first.
func (l *limits) slot(ctx context.Context) (leave func(), t *trouble) {
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
		return nil, &trouble{status: http.StatusServiceUnavailable, message: "The server is overloaded: its queue is full."}
	}
	select {
	case l.slots <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, nil
	}
}
