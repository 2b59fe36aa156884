package pace

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/recordtest"
)

// full runs the whole grid of docs/decisions/0007-pace.md, which takes minutes:
// go test ./internal/pace -run TestGrid -v -full
var full = flag.Bool("full", false, "simulate the whole grid of servers")

// A result is how a simulated run went.
type result struct {
	took    time.Duration
	refused int
	later   int // refused after the first window
	peak    int
	mean    float64
	failed  int
	asked   int
}

// simulate sends n requests to a server through a Pacer, by as many workers as there
// are jobs, in virtual time.
func simulate(t *testing.T, c Config, n int, first time.Duration, build func() *server) (r result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := build()
		p := New(c)
		m := p.Wrap(s)
		var next, failed atomic.Int64
		var group sync.WaitGroup
		for range c.Concurrency {
			group.Go(func() {
				for next.Add(1) <= int64(n) {
					if _, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); err != nil {
						failed.Add(1)
					}
				}
			})
		}
		group.Wait()
		r = result{took: time.Since(s.start), refused: len(s.log), peak: s.peak, failed: int(failed.Load()), asked: s.asked}
		for _, at := range s.log {
			if at > first {
				r.later++
			}
		}
		r.mean = s.busy / r.took.Seconds()
		if st := p.State(); st.InFlight != 0 || st.Waiting != 0 {
			t.Errorf("at the end: %+v", st)
		}
	})
	return r
}

// A cell of the grid is a server, with the share of the best fixed concurrency's
// throughput that is demanded of the adaptive one.
type cell struct {
	kind   string
	clock  float64 // how fast the server's runs; its Retry-After is in real seconds
	mean   time.Duration
	cv     float64
	demand float64
}

func (c cell) build(seed uint64) func() *server {
	return func() *server {
		s := newServer(seed, c.mean, c.cv)
		switch c.kind {
		case "slots":
			s.delay = slots(always(8))
		case "bucket":
			s.admit = bucket(always(5*c.clock), 5)
		case "window":
			length := time.Duration(float64(time.Minute) / c.clock)
			s.admit = windows(always(300), length, time.Duration(float64(seed%3)*0.3*float64(length)))
		}
		return s
	}
}

func grid() []cell {
	if !*full {
		return []cell{
			{"slots", 1, 5 * time.Millisecond, 0.3, 0.95},
			{"slots", 1, 200 * time.Millisecond, 0.3, 0.95},
			{"slots", 1, time.Second, 0.3, 0.95},
			{"bucket", 20, 10 * time.Millisecond, 0.3, 0.95},
			{"bucket", 20, 50 * time.Millisecond, 0.3, 0.95},
			{"bucket", 20, 200 * time.Millisecond, 0.3, 0.95},
			{"bucket", 20, time.Second, 0.3, 0.95},
			{"bucket", 1, 200 * time.Millisecond, 0.3, 0.95},
			{"window", 20, 5 * time.Millisecond, 0.3, 0.95},
			{"window", 20, 200 * time.Millisecond, 0.3, 0.95},
			{"window", 20, time.Second, 0.3, 0.88}, // the first window is over before there are enough in flight
			{"window", 1, 200 * time.Millisecond, 0.3, 0.95},
		}
	}
	var cells []cell
	for _, kind := range []string{"slots", "bucket", "window"} {
		for _, clock := range []float64{1, 5, 20} {
			for _, mean := range []time.Duration{5, 10, 20, 50, 200, 500, 1000} {
				for _, cv := range []float64{0.2, 0.5} {
					if kind != "slots" || clock == 1 {
						cells = append(cells, cell{kind, clock, mean * time.Millisecond, cv, 0})
					}
				}
			}
		}
	}
	return cells
}

// TestGrid demands the throughput of the best fixed concurrency, without any
// information about the server, and hardly a refusal after the first window.
func TestGrid(t *testing.T) {
	exhaustive.Only(t)
	settings, seeds := []int{1, 4, 8, 18, 64, 90, 256}, uint64(2)
	if *full {
		settings = []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 18, 20, 24, 32, 48, 64, 80, 90, 96, 128, 256}
		seeds = 3
	}
	cells := grid()
	rows := make([]string, len(cells))
	t.Run("cells", func(t *testing.T) {
		for i, c := range cells {
			t.Run(fmt.Sprintf("%s %vx %v %v", c.kind, c.clock, c.mean, c.cv), func(t *testing.T) {
				t.Parallel()
				const n = 3000
				first := time.Duration(float64(time.Minute) / c.clock)
				var shares, means []float64
				var bests, peaks, laters []int
				for seed := range seeds {
					best, at := time.Duration(1<<62), 0
					for _, jobs := range settings {
						if r := simulate(t, Config{Attempts: 1000, Concurrency: jobs}, n, first, c.build(seed)); r.took < best {
							best, at = r.took, jobs
						}
					}
					r := simulate(t, Config{Attempts: 1000, Concurrency: 512, Adaptive: true}, n, first, c.build(seed))
					share := best.Seconds() / r.took.Seconds()
					if share < c.demand || r.later > n/100 || r.failed > 0 || c.kind == "slots" && r.mean > 40 {
						t.Errorf("seed %d: %.1f %% of the throughput of %d jobs, %+v", seed, 100*share, at, r)
					}
					shares, means = append(shares, share), append(means, r.mean)
					bests, peaks, laters = append(bests, at), append(peaks, r.peak), append(laters, r.later)
				}
				rows[i] = fmt.Sprintf("%-6s %3vx %6v %.1f  best of fixed at %3d  %4.0f %% (%.0f to %.0f)  refused later %2d  in flight %5.1f, at most %3d", c.kind, c.clock, c.mean, c.cv,
					slices.Max(bests), 100*mean(shares), 100*slices.Min(shares), 100*slices.Max(shares), slices.Max(laters), mean(means), slices.Max(peaks))
			})
		}
	})
	t.Logf("server, clock, latency and spread; throughput against the best fixed concurrency\n%s", strings.Join(rows, "\n"))
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// TestChange has servers whose capacity changes in the middle, and that fail for
// a while. ideal is how long a client that knew it all would take.
//
// Over 200 seeds "slots double" takes 1.09 at the median and 1.18 at worst, 89 of
// them more than 1.1; "bucket doubles" 1.59 and 1.64, 85 of them more than 1.6.
// That much is paid for being gentle to a server of few slots: 16 requests before the
// first answer (start), and rare trials of more. The bounds here are no tighter.
func TestChange(t *testing.T) {
	after := func(when time.Duration, before, then float64) func(time.Duration) float64 {
		return func(now time.Duration) float64 {
			if now < when {
				return before
			}
			return then
		}
	}
	count := func(f func(time.Duration) float64) func(time.Duration) int {
		return func(now time.Duration) int { return int(f(now)) }
	}
	cases := []struct {
		name  string
		build func(*server)
		ideal time.Duration
		within,
		inFlight float64 // on average, at most
	}{
		{"slots halve", func(s *server) { s.delay = slots(count(after(20*time.Second, 8, 4))) }, 55 * time.Second, 1.1, 30},
		{"slots double", func(s *server) { s.delay = slots(count(after(20*time.Second, 8, 16))) }, 28750 * time.Millisecond, 1.2, 40},
		{"bucket halves", func(s *server) { s.admit = bucket(after(15*time.Second, 100, 50), 5) }, 45 * time.Second, 1.35, 20},
		{"bucket doubles", func(s *server) { s.admit = bucket(after(15*time.Second, 50, 100), 5) }, 37500 * time.Millisecond, 1.7, 20},
		{"window halves", func(s *server) { s.admit = windows(count(after(15*time.Second, 300, 150)), 3*time.Second, 0) }, 42 * time.Second, 1.1, 40},
		{"window doubles", func(s *server) { s.admit = windows(count(after(15*time.Second, 150, 300)), 3*time.Second, 0) }, 36 * time.Second, 1.25, 40},
		{"down for a while", func(s *server) {
			s.delay = slots(always(8))
			s.down = func(now time.Duration) time.Duration {
				if now > 10*time.Second && now < 20*time.Second {
					return 2 * time.Second
				}
				return 0
			}
		}, 85 * time.Second, 1.1, 20},
		{"nothing slows", func(s *server) {}, 2 * time.Second, 3, 500},
		{"answers of very different sizes", func(s *server) {
			s.delay = slots(always(8))
			s.size = func(r *rand.Rand) int { return int(20 + 400*r.Float64()*r.Float64()) }
		}, 90 * time.Second, 1.1, 30},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(2) {
				const n = 3000
				r := simulate(t, Config{Attempts: 1000, Concurrency: 512, Adaptive: true}, n, 3*time.Second, func() *server {
					s := newServer(seed, 200*time.Millisecond, 0.3)
					if strings.HasPrefix(c.name, "slots") {
						s.mean = 100 * time.Millisecond
					}
					c.build(s)
					return s
				})
				share := r.took.Seconds() / c.ideal.Seconds()
				t.Logf("seed %d: %.2f of the ideal, %+v", seed, share, r)
				if share > c.within || r.mean > c.inFlight || r.later > n/50 || r.failed > 0 {
					t.Errorf("seed %d: %.2f of the ideal time, %+v", seed, share, r)
				}
			}
		})
	}
}

// blocked is a model that answers one request for each value of let.
type blocked struct{ let chan struct{} }

func (b blocked) Ask(_ context.Context, _ *verbatim.Request, reply *verbatim.Reply) error {
	<-b.let
	*reply = verbatim.Reply{Text: "a"}
	return nil
}

// TestServerQueue: a tuned concurrency is lowered by what waits at the server, at most by
// half at a time and never below 1; one that is fixed is not.
func TestServerQueue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		adaptive             bool
		waiting, first, then int // the limit after one and after three observations
	}{
		{true, 0, start, start},
		{true, 3, start - 3, start - 3},
		{true, 100, start / 2, start / 2}, // as many as before are in flight
		{false, 100, 16, 16},
	} {
		p := New(Config{Concurrency: 16, Adaptive: c.adaptive})
		b := blocked{make(chan struct{})}
		m := p.Wrap(b)
		done := make(chan error, start)
		for range start {
			go func() {
				_, err := recordtest.Ask(context.Background(), m, verbatim.Request{})
				done <- err
			}()
		}
		for deadline := time.Now().Add(5 * time.Second); p.State().InFlight < start && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if n := p.State().InFlight; n != start {
			t.Fatalf("%d requests are in flight", n)
		}
		b.let <- struct{}{} // an answer, after which the limit is in force
		<-done
		p.ServerQueue(c.waiting)
		first := p.State().Limit
		p.ServerQueue(c.waiting)
		p.ServerQueue(c.waiting)
		if then := p.State().Limit; abs(first-c.first) > 1 || abs(then-c.then) > 1 {
			t.Errorf("%+v: limits %d and %d", c, first, then)
		}
		close(b.let)
		for range start - 1 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }
