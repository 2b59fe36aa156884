package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// A stratum is the differences of one cell, exact or in bins.
type stratum struct {
	n     int64
	exact map[uint64]int64 // how often each value occurs, by its bits
	bins  map[int]*bin     // by binKey
}

// A bin sums up neighbouring values by their moments about its centre.
type bin struct {
	n            int64
	sum, squares float64
}

// A point is n equal values, or n neighbours at their mean.
type point struct {
	at float64
	n  int64
}

// addExact takes in n equal values and returns how many distinct values are new: 0 or 1.
func (c *stratum) addExact(d float64, n int64) int {
	if c.exact == nil {
		c.exact = make(map[uint64]int64)
	}
	before := len(c.exact)
	c.exact[math.Float64bits(d+0)] += n // -0 + 0 is 0, so that both are one value
	c.n += n
	return len(c.exact) - before
}

// addToBin takes in n equal values.
func (c *stratum) addToBin(d float64, n int64) {
	key := binKey(d)
	away := d - binCentre(key)
	b := c.bin(key)
	b.n += n
	b.sum += float64(n) * away
	b.squares += float64(n) * away * away
	c.n += n
}

// bin returns the bin of a key and creates it if it is missing.
func (c *stratum) bin(key int) *bin {
	b := c.bins[key]
	if b == nil {
		b = new(bin)
		if c.bins == nil {
			c.bins = make(map[int]*bin)
		}
		c.bins[key] = b
	}
	return b
}

// moveToBins puts the exact values into bins.
func (c *stratum) moveToBins() {
	points := c.points()
	c.exact, c.n = nil, 0
	for _, p := range points {
		c.addToBin(p.at, p.n)
	}
}

// addBins adds the bins of another stratum.
func (c *stratum) addBins(from *stratum) {
	for key, f := range from.bins {
		b := c.bin(key)
		b.n += f.n
		b.sum += f.sum
		b.squares += f.squares
	}
	c.n += from.n
}

// points returns the values in rising order; those in a bin are at its mean.
func (c *stratum) points() []point {
	all := make([]point, 0, len(c.exact)+len(c.bins))
	for bits, n := range c.exact {
		all = append(all, point{math.Float64frombits(bits), n})
	}
	for key, b := range c.bins {
		all = append(all, point{binCentre(key) + b.sum/float64(b.n), b.n})
	}
	slices.SortFunc(all, func(p, q point) int { return cmp.Compare(p.at, q.at) })
	return all
}

// moments returns the moments of all values, given their points. The sums run in sorted
// order, so that they do not depend on map order.
func (c *stratum) moments(points []point) Moments {
	m := Moments{N: c.n}
	for _, p := range points {
		m.Mean += float64(p.n) * p.at
	}
	m.Mean /= float64(m.N)
	squares := 0.0
	for _, p := range points {
		away := p.at - m.Mean
		squares += float64(p.n) * away * away
	}
	for _, key := range slices.Sorted(maps.Keys(c.bins)) {
		b := c.bins[key]
		squares += max(0, b.squares-b.sum*b.sum/float64(b.n))
	}
	if m.N > 1 {
		m.SD = math.Sqrt(squares / float64(m.N-1))
	}
	return m
}

// binsPerUnit is the number of bins between 0 and 1, and in every factor of e above 1. A
// bin of this width loses at most width²/4 of the variance, less than 1e-7.
const binsPerUnit = 2048

// binKey returns the key of the bin of a value: 0 for 0, k for the interval
// ((k-1)/binsPerUnit, k/binsPerUnit] up to 1, and wider bins above. Negative values have
// the negative keys, so that differences with exchanged sides fall into mirrored bins.
func binKey(d float64) int {
	size := math.Abs(d)
	key := int(math.Ceil(min(size, 1) * binsPerUnit))
	if size > 1 {
		key += 1 + int(math.Log(size)*binsPerUnit)
	}
	if d < 0 {
		return -key
	}
	return key
}

// binCentre returns a value near the middle of a bin.
func binCentre(key int) float64 {
	switch {
	case key == 0:
		return 0
	case key < 0:
		return -binCentre(-key)
	case key > binsPerUnit:
		return math.Exp((float64(key-binsPerUnit) - 0.5) / binsPerUnit)
	}
	return (float64(key) - 0.5) / binsPerUnit
}

// Moments are the number, mean and standard deviation of a set of numbers.
type Moments struct {
	N        int64
	Mean, SD float64 // SD has N-1 in the denominator; it is 0 with fewer than two numbers
}

// maxExact is the number of distinct values that a Strata keeps as they are.
const maxExact = 1 << 14
