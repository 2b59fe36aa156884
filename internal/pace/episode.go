package pace

import (
	"math"
	"time"
)

// mostSent bounds how many admissions an episode remembers.
const mostSent = 2048

// An episode is what led to a refusal: how long before it each admitted request
// was sent, in seconds, the newest first.
//
// A token bucket of size b that is filled with R tokens a second admits at most
// b + R·t requests in any time t. When it refuses it is empty; so for one of the
// stretches that end with the refusal, the one that began when it was last full,
// that holds with equality. Given R, that stretch is the one that demands most,
// and b is what it demands: burst.
type episode []float64

// burst returns the size that a bucket of the given rate must have had, and how
// long before the refusal it was last full. The bucket held some part of a token
// when it refused: a half is taken.
func (e episode) burst(rate float64) (size, span float64) {
	size = math.Inf(-1)
	for i, ago := range e {
		if b := float64(i+1) - rate*ago; b > size {
			size, span = b, ago
		}
	}
	return size + 0.5, span
}

// rate returns the rate of a bucket of the given size, and the span over which
// it was measured: a token more or less is an error of one over the span. The
// rate is 0 where the bucket held all that was sent.
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

// agree returns the rate and size of a bucket that two episodes have in common:
// two moments at which it was empty, each so long after it was full. ok is false
// where the two are too alike to tell.
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
