package stats

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// A Scores collects the scores of several runs on the same items: one vector for each
// item, by cell as in stats.Strata. Make one with NewRankScores. It is not safe for concurrent
// use.
//
// Up to 4,096 distinct vectors, counted in every cell, are kept as they are. With one
// more, only the means and sums of products of every cell remain. Memory is then bounded
// by the number of cells times the square of the number of runs. Apart from rounding,
// results do not depend on the order of the items.
type RankScores struct {
	width         int
	cells         map[int]*scoreCell
	distinct      int     // distinct vectors, over all cells
	momentsOnly   bool    // vectors are dropped
	disagreements []int64 // items on which runs a and b < a differ, at index a(a-1)/2 + b
}

// maxVectors is the number of distinct vectors that are kept as they are.
const maxVectors = 1 << 12

// A scoreCell holds the vectors of one cell, or only their moments.
type scoreCell struct {
	n     int64
	exact map[string]int64 // number, by the bits of the values
	sums  moments
}

// moments are the means of vectors, and the sums of products of their deviations from the
// means: the lower triangle of a matrix, row by row.
type moments struct {
	n     float64
	mean  []float64
	cross []float64
}

// NewRankScores returns an empty collection for width runs, at least one.
func NewRankScores(width int) *RankScores {
	width = max(width, 1)
	return &RankScores{width: width, cells: make(map[int]*scoreCell), disagreements: make([]int64, width*(width-1)/2)}
}

// Add takes in the scores of one item, in the order of the runs. It rejects a vector of
// another width, NaN, and sizes above stats.maxDifference.
func (v *RankScores) Add(cell int, x []float64) error {
	if len(x) != v.width {
		return &BadValue{Index: -1, Value: float64(len(x)), Why: "scores were given, not one for each run"}
	}
	for i, s := range x {
		if !(math.Abs(s) <= maxDifference) {
			return &BadValue{Index: i, Value: s, Why: "is not a score"}
		}
	}
	at := 0
	for i, s := range x {
		for j, other := range x[:i] {
			if s != other {
				v.disagreements[at+j]++
			}
		}
		at += i
	}
	v.add(v.cell(cell), x, 1)
	return nil
}

// cell returns a cell and creates it if it is missing.
func (v *RankScores) cell(cell int) *scoreCell {
	c := v.cells[cell]
	if c == nil {
		c = &scoreCell{exact: make(map[string]int64)}
		v.cells[cell] = c
	}
	return c
}

// add takes n equal vectors into a cell.
func (v *RankScores) add(c *scoreCell, x []float64, n int64) {
	c.n += n
	if v.momentsOnly {
		c.sums.add(x, float64(n))
		return
	}
	var room [64 * 8]byte
	key := room[:0]
	for _, s := range x {
		key = binary.BigEndian.AppendUint64(key, math.Float64bits(s+0)) // -0 + 0 is 0
	}
	if _, ok := c.exact[string(key)]; !ok {
		v.distinct++
	}
	c.exact[string(key)] += n
	if v.distinct > maxVectors {
		v.dropVectors()
	}
}

// dropVectors replaces the vectors by their moments.
func (v *RankScores) dropVectors() {
	for _, cell := range v.Cells() {
		c := v.cells[cell]
		for x, n := range c.vectors(v.width) {
			c.sums.add(x, float64(n))
		}
		c.exact = nil
	}
	v.momentsOnly, v.distinct = true, 0
}

// vectors ranges over the distinct vectors of a cell in a fixed order, each with its
// number.
func (c *scoreCell) vectors(width int) func(yield func(x []float64, n int64) bool) {
	return func(yield func(x []float64, n int64) bool) {
		x := make([]float64, width)
		for _, key := range slices.Sorted(maps.Keys(c.exact)) {
			for i := range x {
				x[i] = math.Float64frombits(binary.BigEndian.Uint64([]byte(key[8*i:])))
			}
			if !yield(x, c.exact[key]) {
				return
			}
		}
	}
}

// moments returns the moments of a cell.
func (c *scoreCell) moments(width int) moments {
	if c.exact == nil {
		return c.sums
	}
	var p moments
	for x, n := range c.vectors(width) {
		p.add(x, float64(n))
	}
	return p
}

// add takes in n equal vectors (Welford 1962, Technometrics 4:419–420).
func (p *moments) add(x []float64, n float64) {
	if p.mean == nil {
		p.mean = make([]float64, len(x))
		p.cross = make([]float64, len(x)*(len(x)+1)/2)
	}
	before := p.n
	p.n += n
	share := n * before / p.n
	at := 0
	for i, s := range x {
		away := s - p.mean[i]
		for j := range i + 1 {
			p.cross[at+j] += share * away * (x[j] - p.mean[j])
		}
		at += i + 1
	}
	for i, s := range x {
		p.mean[i] += (s - p.mean[i]) * (n / p.n)
	}
}

// merge adds the moments of another set.
func (p *moments) merge(q moments) {
	if q.n == 0 {
		return
	}
	within := q.cross
	p.add(q.mean, q.n)
	for i, s := range within {
		p.cross[i] += s
	}
}

// Merge returns the vectors in coarser cells. to maps a cell to its coarser cell.
func (v *RankScores) Merge(to func(cell int) int) *RankScores {
	m := NewRankScores(v.width)
	m.momentsOnly = v.momentsOnly
	copy(m.disagreements, v.disagreements)
	for _, cell := range v.Cells() {
		from, target := v.cells[cell], m.cell(to(cell))
		if v.momentsOnly {
			target.n += from.n
			target.sums.merge(from.sums)
			target.exact = nil
			continue
		}
		for x, n := range from.vectors(v.width) {
			m.add(target, x, n) // never more distinct vectors than before
		}
	}
	return m
}

// Cells returns the cells in rising order.
func (v *RankScores) Cells() []int { return slices.Sorted(maps.Keys(v.cells)) }

// N returns the number of items.
func (v *RankScores) N() (n int64) {
	for _, c := range v.cells {
		n += c.n
	}
	return n
}

// Size returns the number of items of one cell.
func (v *RankScores) Size(cell int) int64 {
	if c := v.cells[cell]; c != nil {
		return c.n
	}
	return 0
}

// HasSingletons reports whether a cell has a single item.
func (v *RankScores) HasSingletons() bool {
	for _, c := range v.cells {
		if c.n == 1 {
			return true
		}
	}
	return false
}

// Means returns the mean score of every run over all items; nil without items.
func (v *RankScores) Means() []float64 {
	if len(v.cells) == 0 {
		return nil
	}
	return v.totalMoments().mean
}

// totalMoments returns the moments of all vectors.
func (v *RankScores) totalMoments() moments {
	var all moments
	for _, cell := range v.Cells() {
		all.merge(v.cells[cell].moments(v.width))
	}
	return all
}

// A weightedVector is a vector with its weight.
type weightedVector struct {
	x      []float64
	weight float64
}

// mergeEqualRanks returns vectors in order, with the weights of equal vectors added up.
func mergeEqualRanks(all []weightedVector) []weightedVector {
	slices.SortFunc(all, func(p, q weightedVector) int {
		return cmp.Or(slices.Compare(p.x, q.x), cmp.Compare(p.weight, q.weight))
	})
	var out []weightedVector
	for _, w := range all {
		if n := len(out); n > 0 && slices.Equal(out[n-1].x, w.x) {
			out[n-1].weight += w.weight
		} else {
			out = append(out, w)
		}
	}
	return out
}
