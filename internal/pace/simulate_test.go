package pace

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
)

// A result is how a simulated run went.
type result struct {
	took    time.Duration
	refused int
	later   int // refused after the first window
	peak    int
	mean    float64
	failed  int
}

// simulate asks n requests of a server through a Pacer, by as many workers as
// there are jobs, in virtual time.
func simulate(t *testing.T, c Config, n int, first time.Duration, make func() *server) (r result) {
	synctest.Test(t, func(t *testing.T) {
		s := make()
		p := New(c)
		m := p.Wrap(s)
		var next, failed atomic.Int64
		var group sync.WaitGroup
		for range c.Jobs {
			group.Go(func() {
				for next.Add(1) <= int64(n) {
					if _, err := m.Ask(t.Context(), verbatim.Request{Attempt: 1}); err != nil {
						failed.Add(1)
					}
				}
			})
		}
		group.Wait()
		r = result{took: time.Since(s.start), refused: len(s.log), peak: s.peak, failed: int(failed.Load())}
		for _, at := range s.log {
			if at > first {
				r.later++
			}
		}
		r.mean = s.busy / r.took.Seconds()
	})
	return r
}

func TestExplore(t *testing.T) {
	if os.Getenv("EXPLORE") == "" {
		t.Skip()
	}
	kinds := []struct {
		name string
		make func(s *server, k float64)
	}{
		{"slots", func(s *server, k float64) { s.delay = slots(always(8)) }},
		{"bucket", func(s *server, k float64) { s.admit = bucket(always(5*k), 5) }},
		{"window", func(s *server, k float64) {
			l := time.Duration(float64(60*time.Second) / k)
			s.admit = windows(always(300), l, time.Duration(float64(seedOf(s))*0.3*float64(l)))
		}},
	}
	for _, kind := range kinds {
		for _, clock := range []float64{1, 20} {
			if f := os.Getenv("EXPLORE"); f != "1" && f != fmt.Sprintf("%s%v", kind.name, clock) {
				continue
			}
			if kind.name == "slots" && clock > 1 {
				continue
			}
			for _, mean := range []time.Duration{5, 10, 20, 50, 200, 500, 1000} {
				mean *= time.Millisecond
				for _, cv := range []float64{0.2, 0.5} {
					build := func(seed uint64) func() *server {
						return func() *server {
							s := newServer(seed, mean, cv)
							s.asked = -int(seed)
							kind.make(s, clock)
							return s
						}
					}
					first := time.Duration(float64(60*time.Second) / clock)
					line := fmt.Sprintf("%-6s x%-2v %6v cv%.1f", kind.name, clock, mean, cv)
					for seed := range uint64(3) {
						best, bestC := time.Duration(1<<62), 0
						for _, c := range []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 18, 20, 24, 32, 48, 64, 80, 90, 96, 128, 256} {
							r := simulate(t, Config{Tries: 1000, Jobs: c}, 3000, first, build(seed))
							if r.took < best {
								best, bestC = r.took, c
							}
						}
						r := simulate(t, Config{Tries: 1000, Jobs: 512, Adaptive: true}, 3000, first, build(seed))
						line += fmt.Sprintf(" | %6.1fs at %3d: %5.1f%% 429 %3d/%2d peak %3d mean %5.1f", best.Seconds(), bestC, 100*best.Seconds()/r.took.Seconds(), r.refused, r.later, r.peak, r.mean)
					}
					fmt.Println(line)
				}
			}
		}
	}
}

var _ = cmp.Compare[int]
var _ = rand.Int

func seedOf(s *server) int { return -s.asked }

func TestManySeeds(t *testing.T) {
	if os.Getenv("SEEDS") == "" {
		t.Skip()
	}
	for _, kind := range []string{"slots", "bucket", "window"} {
		for _, mean := range []time.Duration{5, 50, 200, 500, 1000} {
			for _, cv := range []float64{0.2, 0.5, 1} {
				var took, mid []float64
				peak, later := 0, 0
				for seed := range uint64(20) {
					r := simulate(t, Config{Tries: 1000, Jobs: 512, Adaptive: true}, 3000, 3*time.Second, func() *server {
						s := newServer(seed, mean*time.Millisecond, cv)
						switch kind {
						case "slots":
							s.delay = slots(always(8))
						case "bucket":
							s.admit = bucket(always(100.0), 5)
						default:
							s.admit = windows(always(300), 3*time.Second, time.Duration(float64(seed)/20*3e9))
						}
						return s
					})
					took, mid = append(took, r.took.Seconds()), append(mid, r.mean)
					peak, later = max(peak, r.peak), max(later, r.later)
				}
				slices.Sort(took)
				slices.Sort(mid)
				ideal := 30.0
				if kind == "slots" {
					ideal = 3000.0 / 8 * float64(mean) / 1000
				}
				fmt.Printf("%-6s %4vms cv%.1f took/ideal: min %.3f median %.3f 90%% %.3f max %.3f; mean in flight median %.1f max %.1f, peak %d, refused later max %d\n", kind, int(mean), cv, took[0]/ideal, took[10]/ideal, took[18]/ideal, took[19]/ideal, mid[10], mid[19], peak, later)
			}
		}
	}
}
