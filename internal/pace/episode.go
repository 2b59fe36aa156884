package pace

import (
	"math"
	"time"
)

// maxSent bounds how many admissions an episode has.
const maxSent = 2048

// An episode is the admitted requests before a refusal: how many seconds before it each of them
// was sent, the newest first.
//
// A token bucket of size b that gains R tokens per second admits at most b + R·t requests in any
// time t. When it refuses a request, it is empty. So the bound holds with equality for the time
// from the moment when the bucket was last full to the refusal. Of all times that end with the
// refusal, this one requires the largest b for a given R: burst.
type episode []float64

// burst returns the size that a bucket of the given rate must have had, and how many seconds
// before the refusal it was last full. When the bucket refused, it had less than one token: a half
// is assumed.
func (e episode) burst(rate float64) (size, span float64) {
	size = math.Inf(-1)
	for i, ago := range e {
		if b := float64(i+1) - rate*ago; b > size {
			size, span = b, ago
		}
	}
	return size + 0.5, span
}

// rate returns the rate of a bucket of the given size, and the span in seconds over which it was
// measured: an error of one token is an error of 1/span in the rate. The rate is 0 if the bucket
// alone had enough for all that was sent.
func (e episode) rate(size float64) (rate, span float64) {
	low, high := 0.0, 1e6
	for range 60 {
		mid := (low + high) / 2
		if b, _ := e.burst(mid); b > size {
			low = mid
		} else {
			high = mid
		}
	}
	_, span = e.burst(low)
	return low, span
}

// agree returns the rate and the size of a bucket that explain both episodes. about is an estimate
// of the rate. ok is false if the episodes are too similar to determine them.
func agree(a, b episode, about float64) (rate, size float64, ok bool) {
	excess := func(r float64) float64 {
		x, _ := a.burst(r)
		y, _ := b.burst(r)
		return x - y
	}
	low, high := 0.0, 3*about
	if excess(low) < 0 {
		a, b = b, a
	}
	if excess(low) <= 0 || excess(high) >= 0 {
		return 0, 0, false
	}
	for range 60 {
		if mid := (low + high) / 2; excess(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	size, long := a.burst(low)
	_, short := b.burst(low)
	return low, size, size >= 1 && long > 2*short
}

// seconds returns a number of seconds as a Duration.
func seconds(s float64) time.Duration {
	if s >= 1e9 {
		return 1e9 * time.Second
	}
	return time.Duration(s * float64(time.Second))
}
