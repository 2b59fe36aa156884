package pace

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

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
