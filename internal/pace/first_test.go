package pace

import (
	"testing"
	"time"
)

// TestFirstMinute: how soon a run that begins without any knowledge has as much use of a server as one
// with the right number in flight, and one that begins with the number that the server bore before.
func TestFirstMinute(t *testing.T) {
	for _, c := range []struct {
		requests, start, slots int // slots 0: any number
		spread                 float64
		within                 float64 // of the time with 256 in flight from the beginning
	}{
		{768, 0, 0, 0, 1.8},
		{768, 0, 0, 0.3, 1.6},
		{768, 0, 64, 0.3, 1.1},
		{768, 0, 8, 0.3, 1.1},
		{10_240, 0, 0, 0, 1.1},
		{768, 256, 0, 0, 1.1},
		{768, 100, 0, 0.3, 1.3},
		{768, 256, 8, 0.3, 1.1}, // it has become smaller
	} {
		for seed := range uint64(3) {
			build := func() *server {
				s := newServer(seed, time.Second, c.spread)
				if c.slots > 0 {
					s.delay = slots(always(c.slots))
				}
				return s
			}
			fixed := simulate(t, Config{Concurrency: 256}, c.requests, time.Minute, build)
			r := simulate(t, Config{Concurrency: 256, Adaptive: true, Start: c.start}, c.requests, time.Minute, build)
			share := r.took.Seconds() / fixed.took.Seconds()
			t.Logf("%+v, seed %d: %.2f, %.1f in flight", c, seed, share, r.mean)
			if share > c.within || r.failed > 0 {
				t.Errorf("%+v, seed %d: %.2f of the time, %+v", c, seed, share, r)
			}
		}
	}
}

// TestFirstRefusals: servers that admit few requests a minute refuse few.
func TestFirstRefusals(t *testing.T) {
	for _, c := range []struct {
		perMinute, burst int // burst 0: windows
		refused          int // of the requests of three minutes, at most
		within           float64
	}{
		// A bucket of one, whose waits are whole seconds, can only be measured by refusals.
		{8, 1, 25, 1.5}, {32, 1, 96, 1.5}, {60, 1, 144, 2},
		{8, 8, 20, 1.1}, {32, 32, 40, 1.1}, {60, 60, 40, 1.1},
		{8, 0, 4, 1.1}, {32, 0, 4, 1.1}, {60, 0, 8, 1.1},
	} {
		build := func() *server {
			s := newServer(1, 300*time.Millisecond, 0.3)
			if s.admit = windows(always(c.perMinute), time.Minute, 0); c.burst > 0 {
				s.admit = bucket(always(float64(c.perMinute)/60), float64(c.burst))
			}
			return s
		}
		r := simulate(t, Config{Attempts: 1000, Concurrency: 256, Adaptive: true}, 3*c.perMinute, time.Minute, build)
		ideal := 3*time.Minute - time.Minute*time.Duration(max(c.burst, 0))/time.Duration(c.perMinute)
		if c.burst == 0 {
			ideal = 2 * time.Minute
		}
		share := r.took.Seconds() / ideal.Seconds()
		t.Logf("%+v: %.2f of the ideal time, %d refused", c, share, r.refused)
		if r.refused > c.refused || share > c.within {
			t.Errorf("%+v: %.2f of the ideal time, %d refused", c, share, r.refused)
		}
	}
}
