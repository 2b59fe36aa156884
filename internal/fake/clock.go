package fake

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

// A clock runs factor times faster than real time, from its start.
type clock struct {
	start  time.Time
	factor float64
}

func newClock(factor float64) clock {
	if factor == 0 {
		factor = 1
	}
	return clock{time.Now(), factor}
}

// now returns the time of this clock since its start.
func (c clock) now() time.Duration { return time.Duration(float64(time.Since(c.start)) * c.factor) }

// sleep waits for a duration of this clock, or returns the error of a context
// that ends first.
func (c clock) sleep(ctx context.Context, d time.Duration) error {
	return sleep(ctx, time.Duration(float64(d)/c.factor))
}

// sleep waits for a real duration.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// latency draws the time until the first byte.
func (p *Pace) latency(rng *rand.Rand) time.Duration {
	if p.Latency <= 0 {
		return 0
	}
	d := float64(p.Latency)
	if p.Spread > 0 {
		d *= math.Exp(p.Spread * rng.NormFloat64())
	}
	return time.Duration(min(d, float64(24*time.Hour)))
}

// slowness returns the factor by which all times grow with a number of requests in
// flight.
func (p *Pace) slowness(inFlight int64) float64 {
	if p.Knee > 0 {
		return max(1, float64(inFlight)/float64(p.Knee))
	}
	return 1
}
