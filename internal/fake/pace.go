package fake

import (
	"math"
	"math/rand/v2"
	"time"
)

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
