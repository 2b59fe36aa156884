package stats

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"
)

// Strata collects paired differences by cell. A cell is a set within which items were
// drawn, for example a task at a length. The zero value is ready. It is not safe for
// concurrent use.
//
// Memory is bounded by the number of cells. Up to 16,384 distinct values, counted in every
// cell, are kept as they are, and all results are exact. With one more, all values go into
// bins: 1/2,048 wide between -1 and 1, proportionally wider outside, with a bin of its own
// for 0. A bin is at the mean of its values. Moments stay exact, and the variance of a
// posterior is too small by less than 1e-7. Apart from rounding, results do not depend on
// the order of the values.
type Strata struct {
	cells    map[int]*stratum
	lastCell *stratum // cell of the last Add: neighbours often share it
	lastID   int      // number of lastCell
	distinct int      // distinct values, over all cells
	binned   bool     // values are in bins
}

// maxDifference is the largest size of a value. Sums of squares stay finite up to it.
const maxDifference = 1e100

// Add takes in one difference. It rejects NaN and sizes above maxDifference.
func (s *Strata) Add(cell int, d float64) error {
	if !(math.Abs(d) <= maxDifference) {
		return &BadValue{-1, d, "is not a difference of scores"}
	}
	c := s.lastCell
	if c == nil || s.lastID != cell {
		c = s.cell(cell)
		s.lastCell, s.lastID = c, cell
	}
	if s.binned {
		c.addToBin(d, 1)
	} else {
		s.addExact(c, d, 1)
	}
	return nil
}

// cell returns a cell and creates it if it is missing.
func (s *Strata) cell(cell int) *stratum {
	c := s.cells[cell]
	if c == nil {
		c = new(stratum)
		if s.cells == nil {
			s.cells = make(map[int]*stratum)
		}
		s.cells[cell] = c
	}
	return c
}

// addExact takes in n equal differences, and changes to bins if there are too many
// distinct values.
func (s *Strata) addExact(c *stratum, d float64, n int64) {
	s.distinct += c.addExact(d, n)
	if s.distinct > maxExact {
		for _, c := range s.cells {
			c.moveToBins()
		}
		s.binned, s.distinct = true, 0
	}
}

// Merge returns the differences in coarser cells. to maps a cell to its coarser cell.
func (s *Strata) Merge(to func(cell int) int) *Strata {
	m := &Strata{binned: s.binned}
	for _, cell := range s.Cells() {
		from, target := s.cells[cell], m.cell(to(cell))
		if s.binned {
			target.addBins(from)
			continue
		}
		for _, p := range from.points() {
			m.addExact(target, p.at, p.n) // never more distinct values than before
		}
	}
	return m
}

// Cell returns the moments of one cell; N is 0 if there is no such cell.
func (s *Strata) Cell(cell int) Moments {
	c := s.cells[cell]
	if c == nil {
		return Moments{}
	}
	return c.moments(c.points())
}

// Cells returns the cells in rising order.
func (s *Strata) Cells() []int { return slices.Sorted(maps.Keys(s.cells)) }

// Total returns the moments of all differences.
func (s *Strata) Total() Moments {
	parts := make([]Moments, 0, len(s.cells))
	for _, cell := range s.Cells() {
		parts = append(parts, s.Cell(cell))
	}
	return pooledMoments(parts)
}

// pooledMoments returns the moments of the union of sets.
func pooledMoments(parts []Moments) Moments {
	var t Moments
	sum := 0.0
	for _, m := range parts {
		t.N += m.N
		sum += float64(m.N) * m.Mean
	}
	if t.N == 0 {
		return t
	}
	t.Mean = sum / float64(t.N)
	if t.N == 1 {
		return t
	}
	squares := 0.0
	for _, m := range parts {
		away := m.Mean - t.Mean
		squares += float64(m.N-1)*m.SD*m.SD + float64(m.N)*away*away
	}
	t.SD = math.Sqrt(squares / float64(t.N-1))
	return t
}

// Balanced reports whether all cells have the same number of differences. Then the mean of
// the differences equals the mean of the cell means.
func (s *Strata) Balanced() bool {
	n := int64(0)
	for _, c := range s.cells {
		if n != 0 && c.n != n {
			return false
		}
		n = c.n
	}
	return true
}

// HasSingletons reports whether a cell has a single difference. Its variance within the
// cell is unknown.
func (s *Strata) HasSingletons() bool {
	for _, c := range s.cells {
		if c.n == 1 {
			return true
		}
	}
	return false
}

// SE returns the standard error of the mean of all differences: s/√n, or if stratified √(Σ
// n_c s_c²)/n with the standard deviations s_c within the cells (Cochran 1977, Sampling
// Techniques, 3rd ed., section 5.4, without finite populations). ok is false with fewer
// than two differences, and if stratified with singletons.
func (s *Strata) SE(stratified bool) (se float64, ok bool) {
	t := s.Total()
	if t.N < 2 || stratified && s.HasSingletons() {
		return 0, false
	}
	if !stratified {
		return t.SD / math.Sqrt(float64(t.N)), true
	}
	squares := 0.0
	for _, cell := range s.Cells() {
		m := s.Cell(cell)
		squares += float64(m.N) * m.SD * m.SD
	}
	return math.Sqrt(squares) / float64(t.N), true
}

// Posterior returns the unstratified posterior of the mean difference: the Bayesian
// bootstrap (Rubin 1981, Annals of Statistics 9:130–134) with anchors. Each difference has
// weight 1, and half a difference is added at each of -1, 0 and 1. The anchors are
// Jeffreys' prior if all differences are -1, 0 or 1. Without them, a sample in which no
// item differs would have no uncertainty. Without a difference it returns ErrNoData.
func (s *Strata) Posterior() (*Posterior, error) {
	return s.anchored([]float64{-1, 0, 1}, 0.5, unmoved)
}

func unmoved(d float64, _, _ Moments) float64 { return d }

// ErrSingleton is returned for a stratified result if a cell has a single difference.
var ErrSingleton = errors.New("stats: a cell has a single difference: its variance is unknown")

// StratifiedPosterior returns the posterior of the mean difference for a stratified
// design: the number of items of each cell is fixed, and only the items within cells are
// random. It is the posterior of d' = d̄ + (d - d̄_c) √(n_c/(n_c-1)), with d̄_c the mean
// of the difference's cell and n_c its size, with the anchors of Posterior. Differences
// between cells drop out, and the variance is that of the stratified estimator. Every item
// has the same weight in the mean. With singletons it returns ErrSingleton.
func (s *Strata) StratifiedPosterior() (*Posterior, error) {
	if s.HasSingletons() {
		return nil, ErrSingleton
	}
	return s.anchored([]float64{-1, 0, 1}, 0.5, stretched)
}

// stretched moves a difference so that all cells have the same mean, and the variance is
// that of the stratified estimator.
func stretched(d float64, cell, all Moments) float64 {
	n := float64(cell.N)
	return all.Mean + (d-cell.Mean)*math.Sqrt(n/(n-1))
}

// anchored returns the posterior of the mean of the differences that move returns, with the
// weight of an anchor added at each of at. move gets a difference, with the moments of its
// cell and of all differences.
func (s *Strata) anchored(at []float64, weight float64, move func(d float64, cell, all Moments) float64) (*Posterior, error) {
	if len(s.cells) == 0 {
		return nil, ErrNoData
	}
	var (
		points  [][]point
		moments []Moments
		z, a    = slices.Clone(at), slices.Repeat([]float64{weight}, len(at))
	)
	for _, cell := range s.Cells() {
		c := s.cells[cell]
		points = append(points, c.points())
		moments = append(moments, c.moments(points[len(points)-1]))
	}
	all := pooledMoments(moments)
	for i, m := range moments {
		for _, p := range points[i] {
			z = append(z, move(p.at, m, all))
			a = append(a, float64(p.n))
		}
	}
	p, err := NewPosterior(z, a)
	if err != nil {
		return nil, err
	}
	p.observedMean = &all.Mean
	return p, nil
}

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
