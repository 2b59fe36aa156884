package fake

import (
	"context"
	"time"
)

// A Clock runs Factor times faster than real time, from its start.
type clock struct {
	start  time.Time
	Factor float64
}

// newClock returns a Clock that starts now. Factor 0 is 1.
func newClock(factor float64) clock {
	if factor == 0 {
		factor = 1
	}
	return clock{time.Now(), factor}
}

// Now returns the time of this clock since its start.
func (c clock) Now() time.Duration { return time.Duration(float64(time.Since(c.start)) * c.Factor) }

// Sleep waits for a duration of this clock. If ctx ends first, it returns its error.
func (c clock) Sleep(ctx context.Context, d time.Duration) error {
	return Sleep(ctx, time.Duration(float64(d)/c.Factor))
}

// Sleep waits for a duration of real time. If ctx ends first, it returns its error.
func Sleep(ctx context.Context, d time.Duration) error {
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
