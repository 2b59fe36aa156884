package pace

import (
	"math"
	"math/bits"
)

// usualSpread is the standard deviation of service times, relative to their mean, that is assumed
// at least. The latencies of answers that wait in a queue do not show it.
const usualSpread = 0.6

// A bin holds the samples of half an octave of the number in flight: how many they are, and the sums
// of the numbers in flight, of the latencies and of their squares.
type bin struct{ n, flight, time, square float64 }

// binOf returns the index of the half octave of a number: 4 and 5 have the same, 6 and 7, 8 to 11.
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

// halved returns the bin with half the weight of its samples.
func (b bin) halved() bin { return bin{b.n / 2, b.flight / 2, b.time / 2, b.square / 2} }

func (b *bin) add(met int, latency float64) {
	b.n++
	b.flight += float64(met)
	b.time += latency
	b.square += latency * latency
}

// against returns the throughput of b as a multiple of that of o, and the standard error of this
// ratio.
func (b bin) against(o bin) (gain, err float64) {
	if o.through() == 0 {
		return 0, math.Inf(1)
	}
	gain = b.through() / o.through()
	return gain, gain * math.Sqrt(max(b.variance()+o.variance(), usualSpread*usualSpread*(1/b.n+1/o.n)))
}

// variance returns the variance of the mean latency, relative to the square of this mean. It is
// doubled, because answers that waited in the same queue are not independent.
func (b bin) variance() float64 {
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
