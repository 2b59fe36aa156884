package stats

import (
	"errors"
	"maps"
	"math"
	"slices"
)

// Strata gathers paired differences by cell, the sets within which the items of a
// design were drawn (a task at a length, say). The zero value is ready. It is not
// safe for concurrent use.
//
// Its memory is bounded by the number of cells, not by that of the differences. As
// long as at most 16,384 different values are there, each counted in every cell
// that holds it, they are all kept as they are and everything below is exact. With
// the next one all go into bins, 1/2,048 wide between -1 and 1 and as wide in
// proportion beyond, 0 having one of its own. A bin stands at the mean of what it
// holds: moments stay exact, and the variance of a posterior is short of the true
// one by less than 1e-7. What is returned depends on what was added and not, up to
// rounding, on the order.
type Strata struct {
	cells   map[int]*stratum
	recent  *stratum // the cell added to last, since neighbours share one
	name    int      // of recent
	exact   int      // values kept as they are, over all cells
	coarser bool     // whether bins have taken their place
}

// mostExact is how many different values a Strata keeps as they are.
const mostExact = 1 << 14

// Moments are the first two of a set of numbers.
type Moments struct {
	N        int64
	Mean, SD float64 // SD with N-1; both 0 without a number, and SD 0 also with one, where it is not known
}

// MaxDifference is the size of a difference up to which sums of squares are finite.
const MaxDifference = 1e100

// Add takes one difference into a cell. It refuses what is not a number, and sizes
// above 1e100.
func (s *Strata) Add(cell int, d float64) error {
	if !(math.Abs(d) <= MaxDifference) {
		return &BadValue{-1, d, "is no difference of scores"}
	}
	c := s.recent
	if c == nil || s.name != cell {
		c = s.at(cell)
		s.recent, s.name = c, cell
	}
	if s.coarser {
		c.bin(d, 1)
	} else {
		s.keep(c, d, 1)
	}
	return nil
}

// at returns a cell, which is there from then on.
func (s *Strata) at(cell int) *stratum {
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

// keep takes n of one difference as it is, unless it is one value too many.
func (s *Strata) keep(c *stratum, d float64, n int64) {
	s.exact += c.keep(d, n)
	if s.exact > mostExact {
		for _, c := range s.cells {
			c.coarsen()
		}
		s.coarser, s.exact = true, 0
	}
}

// Merge returns the differences in coarser cells: those of a cell go to the one
// that to names.
func (s *Strata) Merge(to func(cell int) int) *Strata {
	m := &Strata{coarser: s.coarser}
	for _, cell := range s.Cells() {
		from, target := s.cells[cell], m.at(to(cell))
		if s.coarser {
			target.pour(from)
			continue
		}
		for _, p := range from.points() {
			m.keep(target, p.at, p.n) // no more values than before: never one too many
		}
	}
	return m
}

// Cell returns the moments of one cell, whose N is 0 where there is none.
func (s *Strata) Cell(cell int) Moments {
	c := s.cells[cell]
	if c == nil {
		return Moments{}
	}
	return c.moments(c.points())
}

// Cells returns the cells that hold a difference, rising.
func (s *Strata) Cells() []int { return slices.Sorted(maps.Keys(s.cells)) }

// Total returns the moments of all differences together.
func (s *Strata) Total() Moments {
	parts := make([]Moments, 0, len(s.cells))
	for _, cell := range s.Cells() {
		parts = append(parts, s.Cell(cell))
	}
	return pooled(parts)
}

// pooled returns the moments of the union of sets.
func pooled(parts []Moments) Moments {
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

// Even reports whether all cells hold equally many differences. Where they do, the
// mean of the differences is the mean of the cells.
func (s *Strata) Even() bool {
	n := int64(0)
	for _, c := range s.cells {
		if n != 0 && c.n != n {
			return false
		}
		n = c.n
	}
	return true
}

// Lone reports whether a cell holds a single difference, whose variance within the
// cell nobody knows.
func (s *Strata) Lone() bool {
	for _, c := range s.cells {
		if c.n == 1 {
			return true
		}
	}
	return false
}

// SE returns the standard error of the mean of all differences: s/√n, or where
// stratified √(Σ n_c s_c²)/n with the standard deviations s_c within the cells,
// which is that of the sum of n_c/n times the cells' means (Cochran 1977, Sampling
// Techniques, 3rd ed., section 5.4, without finite populations). ok is false with
// fewer than two differences, and where stratified and a cell is Lone.
func (s *Strata) SE(stratified bool) (se float64, ok bool) {
	t := s.Total()
	if t.N < 2 || stratified && s.Lone() {
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

// Posterior returns the posterior of the mean difference, all differences alike:
// each has the weight 1, and half a difference is added at each of -1, 0 and 1, the
// ends and the middle of where differences of scores in [0, 1] lie. It is Rubin's
// Bayesian bootstrap (1981, Annals of Statistics 9:130–134) but for these anchors,
// which are Jeffreys' prior where all differences are -1, 0 or 1; without them a
// sample in which nothing happened to differ would leave no doubt. Without a
// difference it returns ErrNoData.
func (s *Strata) Posterior() (*Posterior, error) {
	return s.anchored([]float64{-1, 0, 1}, func(d float64, _, _ Moments) float64 { return d })
}

// ErrLone is the refusal to stratify by cells of which one holds one difference.
var ErrLone = errors.New("stats: a cell holds a single difference: nothing says how much those within it vary")

// Stratified returns the posterior of the mean difference where the cells are
// fixed by design and only the items within them are drawn: that of
// d' = d̄ + (d - d̄_c) √(n_c/(n_c-1)), with d̄_c the mean of the difference's cell
// and n_c its size, anchored as for Posterior. What the cells differ by drops out,
// and the variance of the d' is that of the stratified estimator. The mean remains
// that of all items, which is that of the cells where these are Even. Where a cell
// is Lone it returns ErrLone.
func (s *Strata) Stratified() (*Posterior, error) {
	if s.Lone() {
		return nil, ErrLone
	}
	return s.anchored([]float64{-1, 0, 1}, stretched)
}

// stretched moves a value so that cells no longer differ and the variance within
// them is that of the stratified estimator.
func stretched(d float64, cell, all Moments) float64 {
	n := float64(cell.N)
	return all.Mean + (d-cell.Mean)*math.Sqrt(n/(n-1))
}

// Level is Posterior, or where asked Stratified, of scores between 0 and 1 in the
// place of differences: anchored by half a score at 0 and at 1, which is Jeffreys'
// prior where all scores are 0 or 1.
func (s *Strata) Level(stratified bool) (*Posterior, error) {
	ends := []float64{0, 1}
	if !stratified {
		return s.anchored(ends, func(d float64, _, _ Moments) float64 { return d })
	}
	if s.Lone() {
		return nil, ErrLone
	}
	return s.anchored(ends, stretched)
}

// anchored returns the posterior of the mean of the differences, moved as they are
// told by the moments of their cell and of all, and of half an item at each anchor.
func (s *Strata) anchored(anchors []float64, move func(d float64, cell, all Moments) float64) (*Posterior, error) {
	if len(s.cells) == 0 {
		return nil, ErrNoData
	}
	var (
		points  [][]point
		moments []Moments
		z, a    = slices.Clone(anchors), slices.Repeat([]float64{0.5}, len(anchors))
	)
	for _, cell := range s.Cells() {
		c := s.cells[cell]
		points = append(points, c.points())
		moments = append(moments, c.moments(points[len(points)-1]))
	}
	all := pooled(moments)
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
	p.seen = &all.Mean
	return p, nil
}
