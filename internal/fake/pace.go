package fake

import (
	"math"
	"math/rand/v2"
	"time"
)

// A Pace says how long answers take. The zero value takes no time.
type Pace struct {
	// Latency is the median of the time until the first byte. The time is log-normal; Spread
	// is the standard deviation of its logarithm.
	Latency time.Duration
	Spread  float64
	Token   time.Duration // for each token of the answer
	// Knee is the number of requests in flight above which all of these times grow in
	// proportion to it; 0: they do not grow.
	Knee int
	// clock is how many times faster than real time the clock runs; 0 is 1.
	Clock float64
}

// Delay draws the time until the first byte.
func (p *Pace) delay(rng *rand.Rand) time.Duration {
	if p.Latency <= 0 {
		return 0
	}
	d := float64(p.Latency)
	if p.Spread > 0 {
		d *= math.Exp(p.Spread * rng.NormFloat64())
	}
	return time.Duration(min(d, float64(24*time.Hour)))
}

// Slowness returns the factor of all times for a number of requests in flight.
func (p *Pace) slowness(inFlight int64) float64 {
	if p.Knee > 0 {
		return max(1, float64(inFlight)/float64(p.Knee))
	}
	return 1
}
