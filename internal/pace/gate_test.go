package pace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// askAll asks n requests at once and returns the errors.
func askAll(t *testing.T, m verbatim.Model, n int) []error {
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { _, errs[i] = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}) })
	}
	group.Wait()
	return errs
}

// A fixed Pacer has exactly Jobs requests in flight, and sends in the order of arrival.
func TestJobs(t *testing.T) {
	for _, jobs := range []int{0, 1, 7, 100} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(1, 100*time.Millisecond, 0)
			p := New(Config{Concurrency: jobs})
			for _, err := range askAll(t, p.Wrap(s), 500) {
				if err != nil {
					t.Error(err)
				}
			}
			rounds := (500 + max(1, jobs) - 1) / max(1, jobs)
			if s.peak != max(1, jobs) || time.Since(s.start) != time.Duration(rounds)*100*time.Millisecond {
				t.Errorf("%d jobs: at most %d in flight, %v", jobs, s.peak, time.Since(s.start))
			}
		})
	}
}

// A pause holds for all: no worker sends during it, and after it they start again one
// after the other.
func TestSharedPause(t *testing.T) {
	for _, class := range []verbatim.Class{verbatim.Rate, verbatim.Overload} {
		bubble(t, func(t *testing.T, adaptive bool) {
			var mu sync.Mutex
			var at []time.Duration
			start := time.Now()
			refused := false
			m := New(Config{Attempts: 5, Concurrency: 50, Adaptive: adaptive}).Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
				mu.Lock()
				at = append(at, time.Since(start))
				f := time.Since(start) >= time.Second && !refused
				refused = refused || f
				mu.Unlock()
				if f {
					return verbatim.Reply{}, after(class, 4*time.Second)
				}
				time.Sleep(300 * time.Millisecond)
				return verbatim.Reply{}, nil
			}))
			for _, err := range askAll(t, m, 400) {
				if err != nil {
					t.Fatal(err)
				}
			}
			var wait time.Duration
			back := map[time.Duration]int{} // how many came back in each tenth of a second
			for _, d := range at {
				switch {
				case d < time.Second:
				case wait == 0:
					wait = d
				case d > wait && d < wait+4*time.Second:
					t.Fatalf("a request was sent %v after the pause began", d-wait)
				default:
					back[(d-wait-4*time.Second)/(100*time.Millisecond)]++
				}
			}
			if wait == 0 || len(back) < 8 {
				t.Fatalf("wait at %v, back over %v", wait, back)
			}
			if adaptive && class == verbatim.Rate {
				return // at the pace that was learned
			}
			for tenth := range time.Duration(5) {
				if back[tenth] > 20 {
					t.Errorf("too many requests at once after the pause: %v", back)
				}
			}
		})
	}
}

// Thousands of workers before a closed port do not make a hot loop.
func TestNobodyListens(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{fails(verbatim.Transport)}}
		p := New(Config{Attempts: 4, Concurrency: 2000, Adaptive: adaptive})
		begun := time.Now()
		askAll(t, p.Wrap(s), 2000)
		asked := len(s.asked)
		if asked != 8000 {
			t.Errorf("asked %d times", asked)
		}
		first := 0
		for _, at := range s.at {
			if at > 0 && at < 10*time.Second {
				first++
			}
		}
		if first > 200 || time.Since(begun) < 20*time.Second {
			t.Errorf("%d were sent in the seconds 0 to 10, all in %v", first, time.Since(begun))
		}
	})
}

// One failure in a hundred pauses no other worker.
func TestOwnTrouble(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		n := 0
		var mu sync.Mutex
		m := New(Config{Attempts: 5, Concurrency: 16, Adaptive: adaptive}).Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			time.Sleep(100 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			if n++; n%100 == 50 {
				return verbatim.Reply{}, []error{fails(verbatim.Transport), fails(verbatim.Overload)}[n/100%2]
			}
			return verbatim.Reply{}, nil
		}))
		begun := time.Now()
		askAll(t, m, 1600)
		if d := time.Since(begun); d > 12*time.Second {
			t.Errorf("it took %v", d)
		}
	})
}

// After the failures quota and auth nothing is sent: a request that waits gets the
// failure, without attempts of its own.
func TestStop(t *testing.T) {
	for _, class := range []verbatim.Class{verbatim.Quota, verbatim.Auth} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{fails(class)}, takes: time.Second}
			p := New(Config{Attempts: 5, Concurrency: 4, Adaptive: adaptive})
			begun := time.Now()
			asked := 0
			for _, err := range askAll(t, p.Wrap(s), 1000) {
				f := failure(t, err)
				asked += len(f.Attempts)
				if f.Class != class || len(f.Attempts) > 1 || f.Err == nil {
					t.Errorf("%+v", f)
				}
			}
			if asked != 4 || len(s.asked) != 4 || time.Since(begun) > time.Second+opening {
				t.Errorf("asked %d, %d attempts, %v", len(s.asked), asked, time.Since(begun))
			}
			if st := p.State(); st.Stopped == nil || st.Waiting != 0 || st.InFlight != 0 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// A request that waits to be retried when the endpoint is given up keeps its own
// attempts.
func TestStopWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []error{after(verbatim.Rate, 10*time.Second), fails(verbatim.Auth)}}
		errs := askAll(t, New(Config{Attempts: 5, Concurrency: 1}).Wrap(s), 2)
		var counts []int
		for _, err := range errs {
			f := failure(t, err)
			if f.Class != verbatim.Auth {
				t.Errorf("%+v", f)
			}
			counts = append(counts, len(f.Attempts))
		}
		slices.Sort(counts)
		if !slices.Equal(counts, []int{1, 1}) && !slices.Equal(counts, []int{0, 2}) {
			t.Errorf("%d attempts", counts)
		}
	})
}

// A request that is cancelled at the moment at which it may be sent takes no slot.
func TestGiveUpAtTheGate(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			p := New(Config{Concurrency: 1})
			m := p.Wrap(newServer(1, time.Second, 0))
			var group sync.WaitGroup
			for i := range 6 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(max(1, i))*time.Second)
				defer cancel()
				group.Go(func() { recordtest.Ask(ctx, m, verbatim.Request{Attempt: 1}) })
			}
			group.Wait()
			if st := p.State(); st.InFlight != 0 || st.Waiting != 0 {
				t.Fatalf("%+v", st)
			}
		})
	}
}

func TestKnownRates(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := newServer(1, 10*time.Millisecond, 0)
		askAll(t, New(Config{Concurrency: 100, Adaptive: adaptive, RequestsPerMinute: 600}).Wrap(s), 200)
		if d := time.Since(s.start); d < 19*time.Second || d > 21*time.Second {
			t.Errorf("200 requests at 600 a minute took %v", d)
		}
	})
	bubble(t, func(t *testing.T, adaptive bool) {
		s := newServer(1, 10*time.Millisecond, 0)
		m := New(Config{Concurrency: 100, Adaptive: adaptive, TokensPerMinute: 60_000}).Wrap(s)
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				recordtest.Ask(t.Context(), m, verbatim.Request{MaxTokens: 900, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: string(make([]byte, 400))}}}}})
			})
		}
		group.Wait()
		if d := time.Since(s.start); d < 48*time.Second || d > 52*time.Second {
			t.Errorf("50 requests of 1,000 tokens at 60,000 a minute took %v", d)
		}
	})
	bubble(t, func(t *testing.T, adaptive bool) { // and where they turn out to be a tenth of that
		begun := time.Now()
		m := New(Config{TokensPerMinute: 60_000, Adaptive: adaptive}).Wrap(replies(verbatim.Reply{Usage: verbatim.Usage{Prompt: ptr(int64(50)), Completion: ptr(int64(50))}}))
		for range 50 {
			recordtest.Ask(t.Context(), m, verbatim.Request{MaxTokens: 1000})
		}
		if d := time.Since(begun); d < 4*time.Second || d > 7*time.Second {
			t.Errorf("50 requests of 100 tokens at 60,000 a minute took %v", d)
		}
	})
}

// A server without Retry-After that refuses more than so many at a time, however
// slowly they come.
func TestTooManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		flying, refused := 0, 0
		m := New(Config{Attempts: 100, Concurrency: 200, Adaptive: true}).Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			mu.Lock()
			if flying >= 10 {
				refused++
				mu.Unlock()
				return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Rate, Status: 429, Err: errors.New("too many at once")}
			}
			flying++
			mu.Unlock()
			time.Sleep(200 * time.Millisecond)
			mu.Lock()
			flying--
			mu.Unlock()
			return verbatim.Reply{}, nil
		}))
		begun := time.Now()
		askAll(t, m, 3000)
		ideal := 60 * time.Second
		t.Logf("%v against %v, %d refused", time.Since(begun), ideal, refused)
		if d := time.Since(begun); d > ideal*3/2 || refused > 90 {
			t.Errorf("%v against %v, %d refused", d, ideal, refused)
		}
	})
}

// After Stop the requests in flight finish, and nothing more is sent: no request that
// waits for its turn, and none that waits to be retried.
func TestStopped(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		var count atomic.Int64
		p := New(Config{Attempts: 9, Concurrency: 2, Adaptive: adaptive})
		m := p.Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			first := count.Add(1) == 1
			time.Sleep(time.Second)
			if first {
				return verbatim.Reply{}, fails(verbatim.Cut)
			}
			time.Sleep(9 * time.Second)
			return verbatim.Reply{}, nil
		}))
		time.AfterFunc(1100*time.Millisecond, p.Stop)
		start := time.Now()
		errs := askAll(t, m, 20)
		asked := int(count.Load())
		unsent, cut, answered := 0, 0, 0
		for _, err := range errs {
			var f *verbatim.Failure
			switch {
			case errors.Is(err, errStopped):
				unsent++
			case errors.As(err, &f) && f.Class == verbatim.Cut && len(f.Attempts) == 1:
				cut++
			case err == nil:
				answered++
			}
		}
		if cut != 1 || answered != asked-1 || unsent != 20-asked || time.Since(start) > 12*time.Second {
			t.Errorf("%d sent: %d answered, %d cut, %d unsent after %v", asked, answered, cut, unsent, time.Since(start))
		}
		if _, err := recordtest.Ask(t.Context(), m, verbatim.Request{}); !errors.Is(err, errStopped) {
			t.Errorf("later: %v", err)
		}
	})
}

// A latencyLog is a model that notes how long each answer of another takes.
type latencyLog struct {
	verbatim.Model
	mu      sync.Mutex
	seconds []float64
}

// Ask implements verbatim.Model.
func (l *latencyLog) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	begun := time.Now()
	err := l.Model.Ask(ctx, r, reply)
	l.mu.Lock()
	l.seconds = append(l.seconds, time.Since(begun).Seconds())
	l.mu.Unlock()
	return err
}

// watchQueue reports the queue of s to the Pacer every two seconds, if it was there
// twice in a row, until stop is closed.
func watchQueue(p *Pacer, s *server, slots int, stop <-chan struct{}) {
	for seen := 0; ; {
		select {
		case <-stop:
			return
		case <-time.After(2 * time.Second):
		}
		s.mu.Lock()
		waiting := s.flying - slots
		s.mu.Unlock()
		if waiting <= 0 {
			seen = 0
		} else if seen++; seen >= 2 {
			p.ServerQueue(waiting)
		}
	}
}

// TestStayAtKnee: of a server with few slots the limit is found, and hardly left again:
// more requests in flight bring the same throughput, and every answer takes longer.
func TestStayAtKnee(t *testing.T) {
	const (
		n, start = 3000, 600 // answers in all, and those in which the limit is found
		service  = 52 * time.Millisecond
	)
	for _, c := range []struct {
		slots  int
		spread float64
		queue  bool    // the server tells how many requests wait
		above  float64 // the share of answers that waited in the queue, at most
		median float64 // latency relative to the service time, at most
	}{
		{2, 0, true, 0.1, 1.1},
		{2, 0, false, 0.1, 1.1},
		{2, 0.3, true, 0.2, 1.1},
		{8, 0, true, 0.1, 1.1},
	} {
		t.Run(fmt.Sprintf("%d slots, spread %v, queue told %v", c.slots, c.spread, c.queue), func(t *testing.T) {
			for seed := range uint64(3) {
				synctest.Test(t, func(t *testing.T) {
					s := newServer(seed, service, c.spread)
					s.delay = slots(always(c.slots))
					log := &latencyLog{Model: s}
					p := New(Config{Concurrency: 256, Adaptive: true})
					m := p.Wrap(log)
					stop := make(chan struct{})
					if c.queue {
						go watchQueue(p, s, c.slots, stop)
					}
					var next, above atomic.Int64
					var group sync.WaitGroup
					for range 256 {
						group.Go(func() {
							for i := next.Add(1); i <= n; i = next.Add(1) {
								if _, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); err != nil {
									t.Error(err)
								}
								if i > start && p.State().Limit > c.slots {
									above.Add(1)
								}
							}
						})
					}
					group.Wait()
					took := time.Since(s.start)
					close(stop)
					settled := slices.Clone(log.seconds[start:])
					slices.Sort(settled)
					median := settled[len(settled)/2] / service.Seconds()
					share := float64(above.Load()) / (n - start)
					ideal := service * n / time.Duration(c.slots)
					t.Logf("seed %d: above the knee for %.3f of the answers, median latency %.2f of the service time, %.3f of the ideal time", seed, share, median, took.Seconds()/ideal.Seconds())
					if share > c.above || median > c.median {
						t.Errorf("seed %d: above the knee for %.2f of the answers, median latency %.2f of the service time", seed, share, median)
					}
				})
			}
		})
	}
}

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
