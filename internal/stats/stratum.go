package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// A stratum is the differences of one cell: as they are, or in bins.
type stratum struct {
	n     int64
	exact map[uint64]int64 // how often, by the bits of the value
	bins  map[int]*bin     // by key
}

// A bin holds neighbouring values by their moments about its centre.
type bin struct {
	n            int64
	sum, squares float64
}

// A point is n equal values, or n neighbours at their mean.
type point struct {
	at float64
	n  int64
}

// keep takes n of one value as it is and returns how many values are new: 0 or 1.
func (c *stratum) keep(d float64, n int64) int {
	if c.exact == nil {
		c.exact = make(map[uint64]int64)
	}
	before := len(c.exact)
	c.exact[math.Float64bits(d+0)] += n // -0 + 0 is 0: the two are one value
	c.n += n
	return len(c.exact) - before
}

// bin takes n of one value into the bin it belongs to.
func (c *stratum) bin(d float64, n int64) {
	if c.bins == nil {
		c.bins = make(map[int]*bin)
	}
	key := binOf(d)
	b := c.bins[key]
	if b == nil {
		b = new(bin)
		c.bins[key] = b
	}
	away := d - centre(key)
	b.n += n
	b.sum += float64(n) * away
	b.squares += float64(n) * away * away
	c.n += n
}

// coarsen puts what was kept as it is into bins.
func (c *stratum) coarsen() {
	kept := c.points()
	c.exact, c.n = nil, 0
	for _, p := range kept {
		c.bin(p.at, p.n)
	}
}

// pour adds the bins of another stratum to those of this one.
func (c *stratum) pour(from *stratum) {
	if c.bins == nil {
		c.bins = make(map[int]*bin)
	}
	for key, f := range from.bins {
		b := c.bins[key]
		if b == nil {
			b = new(bin)
			c.bins[key] = b
		}
		b.n += f.n
		b.sum += f.sum
		b.squares += f.squares
	}
	c.n += from.n
}

// points returns the values, rising; those in a bin stand at its mean.
func (c *stratum) points() []point {
	all := make([]point, 0, len(c.exact)+len(c.bins))
	for bits, n := range c.exact {
		all = append(all, point{math.Float64frombits(bits), n})
	}
	for key, b := range c.bins {
		all = append(all, point{centre(key) + b.sum/float64(b.n), b.n})
	}
	slices.SortFunc(all, func(p, q point) int { return cmp.Compare(p.at, q.at) })
	return all
}

// moments returns those of all values, whose points are given, also where they are
// in bins. The sums run over what is sorted, so that they do not depend on the
// order of a map.
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

// binsPerUnit is how many bins there are between 0 and 1, and in every factor of e
// beyond. A bin of this width takes at most width²/4, below 1e-7, from a variance.
const binsPerUnit = 2048

// binOf returns the key of a value's bin: 0 for 0, k for what lies in
// ((k-1)/binsPerUnit, k/binsPerUnit] up to 1, wider ones beyond, and the negative
// key for the negative value, so that differences the other way round fall into
// the mirrored bins.
func binOf(d float64) int {
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

// centre returns a value near the middle of a bin.
func centre(key int) float64 {
	switch {
	case key == 0:
		return 0
	case key < 0:
		return -centre(-key)
	case key > binsPerUnit:
		return math.Exp((float64(key-binsPerUnit) - 0.5) / binsPerUnit)
	}
	return (float64(key) - 0.5) / binsPerUnit
}
