package pace

import (
	"math"
	"math/bits"
)

// usualSpread is the least that service times are taken to spread, relative to
// their mean: where answers wait in a queue their latencies do not show it.
const usualSpread = 0.6

// A bin holds the samples of half an octave.
type bin struct{ n, flight, time, square float64 }

// binOf returns the half octave of a number: 4 and 5 share one, 6 and 7, 8 to 11.
func binOf(n int) int {
	n = max(1, n)
	i := bits.Len(uint(n)) - 1
	if n >= 1<<i+1<<i>>1 && i > 0 {
		return min(2*i+1, 63)
	}
	return min(2*i, 63)
}

func (b bin) plus(o bin) bin {
	return bin{b.n + o.n, b.flight + o.flight, b.time + o.time, b.square + o.square}
}

func (b *bin) add(met int, latency float64) {
	b.n++
	b.flight += float64(met)
	b.time += latency
	b.square += latency * latency
}

// against returns how many times the throughput of o that of b is, and the
// standard error of that.
func (b bin) against(o bin) (gain, err float64) {
	if o.through() == 0 {
		return 0, math.Inf(1)
	}
	gain = b.through() / o.through()
	return gain, gain * math.Sqrt(max(b.doubt()+o.doubt(), usualSpread*usualSpread*(1/b.n+1/o.n)))
}

// doubt returns the variance of the mean latency, relative to it. Answers that
// waited in the same queue are not independent; for that it is doubled.
func (b bin) doubt() float64 {
	mean := b.time / b.n
	return 2 * max(0, b.square/b.n/mean/mean-1) / b.n
}

// through returns the throughput of a bin's samples.
func (b bin) through() float64 {
	if b.time <= 0 {
		return 0
	}
	return b.flight / b.time
}
