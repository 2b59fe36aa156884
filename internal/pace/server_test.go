package pace

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"verbatim"
)

// A server is simulated: it lives in the virtual time of testing/synctest. What
// it does with a request is decided when it arrives.
type server struct {
	mu     sync.Mutex
	rng    *rand.Rand
	mean   time.Duration // of the time that an answer takes
	cv     float64       // its spread, relative to the mean
	start  time.Time
	admit  func(now time.Duration) (after time.Duration, ok bool) // nil: everything
	delay  func(now, service time.Duration) time.Duration         // nil: the service alone
	down   func(now time.Duration) time.Duration                  // > 0: 503, with this Retry-After
	size   func(*rand.Rand) int                                   // bytes of an answer, to which the time is proportional; nil: none
	log    []time.Duration                                        // refusals
	flying int
	peak   int
	busy   float64 // flying, times seconds
	last   time.Duration
	asked  int
}

func newServer(seed uint64, mean time.Duration, cv float64) *server {
	return &server{rng: rand.New(rand.NewPCG(seed, 1)), mean: mean, cv: cv, start: time.Now()}
}

func (s *server) count(now time.Duration, by int) {
	s.busy += float64(s.flying) * (now - s.last).Seconds()
	s.last = now
	s.flying += by
	s.peak = max(s.peak, s.flying)
}

// Ask implements verbatim.Model.
func (s *server) Ask(ctx context.Context, q *verbatim.Request, reply *verbatim.Reply) error {
	s.mu.Lock()
	now := time.Since(s.start)
	s.count(now, 1)
	s.asked++
	sigma := math.Sqrt(math.Log(1 + s.cv*s.cv))
	service := time.Duration(float64(s.mean) * math.Exp(sigma*s.rng.NormFloat64()-sigma*sigma/2))
	text := "answer"
	if s.size != nil {
		n := s.size(s.rng)
		text = string(make([]byte, n))
		service = time.Duration(float64(service) * float64(n) / 100)
	}
	var f *verbatim.Failure
	if s.down != nil {
		if after := s.down(now); after > 0 {
			f = &verbatim.Failure{Class: verbatim.Overload, Status: 503, After: after, Err: errors.New("down")}
		}
	}
	if s.admit != nil && f == nil {
		if after, ok := s.admit(now); !ok {
			f = &verbatim.Failure{Class: verbatim.Rate, Status: 429, After: after, Err: errors.New("too many")}
			s.log = append(s.log, now)
		}
	}
	switch {
	case f != nil:
		service = time.Millisecond + time.Duration(s.rng.IntN(int(time.Millisecond)))
	case s.delay != nil:
		service = s.delay(now, service)
	}
	s.mu.Unlock()
	err := ctx.Err()
	if err == nil {
		timer := time.NewTimer(service)
		select {
		case <-timer.C:
		case <-ctx.Done():
			err = ctx.Err()
		}
		timer.Stop()
	}
	s.mu.Lock()
	s.count(time.Since(s.start), -1)
	s.mu.Unlock()
	switch {
	case err != nil:
		return &verbatim.Failure{Class: verbatim.Deadline, Err: err}
	case f != nil:
		return f
	}
	*reply = verbatim.Reply{Text: text}
	return nil
}

// slots works on a number of requests at a time, that may change; the others wait.
func slots(n func(now time.Duration) int) func(now, service time.Duration) time.Duration {
	var free []time.Duration // when each slot is free
	return func(now, service time.Duration) time.Duration {
		for len(free) < n(now) {
			free = append(free, now)
		}
		for len(free) > n(now) { // the one that is free last goes on with two
			i := latest(free)
			free = append(free[:i], free[i+1:]...)
		}
		i := 0
		for j := range free {
			if free[j] < free[i] {
				i = j
			}
		}
		free[i] = max(now, free[i]) + service
		return free[i] - now
	}
}

func latest(free []time.Duration) int {
	i := 0
	for j := range free {
		if free[j] > free[i] {
			i = j
		}
	}
	return i
}

// whole rounds a wait up to whole seconds, at least one.
func whole(d time.Duration) time.Duration {
	return max(time.Second, (d+time.Second-1)/time.Second*time.Second)
}

// bucket admits rate requests a second, and burst at once.
func bucket(rate func(now time.Duration) float64, burst float64) func(time.Duration) (time.Duration, bool) {
	level, last := burst, time.Duration(0)
	return func(now time.Duration) (time.Duration, bool) {
		r := rate(now)
		level = min(burst, level+r*(now-last).Seconds())
		last = now
		if level < 1 {
			return whole(seconds((1 - level) / r)), false
		}
		level--
		return 0, true
	}
}

// windows admits n in each window of a length.
func windows(n func(now time.Duration) int, length, phase time.Duration) func(time.Duration) (time.Duration, bool) {
	window, used := time.Duration(-1), 0
	return func(now time.Duration) (time.Duration, bool) {
		if w := (now + phase) / length; w != window {
			window, used = w, 0
		}
		if used >= n(now) {
			return whole((window+1)*length - phase - now), false
		}
		used++
		return 0, true
	}
}

func always[T any](v T) func(time.Duration) T { return func(time.Duration) T { return v } }
