package ranks

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"verbatim/internal/stats"
)

// Scores gathers the scores that several runs got for the same items, a vector for
// each item, by cell as Strata does. Make one with NewScores. It is not safe for
// concurrent use.
//
// As long as at most 4,096 different vectors are there, each counted in every cell
// that holds it, they are kept as they are. With the next one only the means and
// the sums of products of every cell remain, so that memory is bounded by the
// number of cells times the square of that of runs. What is computed of them does
// not depend, up to rounding, on the order in which they were added.
type Scores struct {
	width   int
	cells   map[int]*vectorCell
	kept    int     // different vectors, over all cells
	coarser bool    // only moments are left
	differ  []int64 // items on which two runs differ, a lower triangle without its diagonal
}

// mostVectors is how many different vectors are kept as they are.
const mostVectors = 1 << 12

// A vectorCell holds the vectors of one cell: as they are, or by their moments.
type vectorCell struct {
	n     int64
	exact map[string]int64 // how often, by the bits of the values
	sums  products
}

// products are the means of vectors and the sums of products of their deviations
// from these, the lower triangle of a matrix row by row.
type products struct {
	n     float64
	mean  []float64
	cross []float64
}

// NewScores returns an empty collection for so many runs, one at least.
func NewScores(width int) *Scores {
	width = max(width, 1)
	return &Scores{width: width, cells: make(map[int]*vectorCell), differ: make([]int64, width*(width-1)/2)}
}

// Add takes the scores of one item, in the order of the runs, into a cell. It
// refuses a vector of another width, what is not a number, and sizes above 1e100.
func (v *Scores) Add(cell int, x []float64) error {
	if len(x) != v.width {
		return &stats.BadValue{Index: -1, Value: float64(len(x)), Why: "is not how many scores an item has"}
	}
	for i, s := range x {
		if !(math.Abs(s) <= stats.MaxDifference) {
			return &stats.BadValue{Index: i, Value: s, Why: "is no score"}
		}
	}
	at := 0
	for i, s := range x {
		for j, other := range x[:i] {
			if s != other {
				v.differ[at+j]++
			}
		}
		at += i
	}
	v.put(v.at(cell), x, 1)
	return nil
}

// at returns a cell, which is there from then on.
func (v *Scores) at(cell int) *vectorCell {
	c := v.cells[cell]
	if c == nil {
		c = &vectorCell{exact: make(map[string]int64)}
		v.cells[cell] = c
	}
	return c
}

// put takes n of one vector into a cell.
func (v *Scores) put(c *vectorCell, x []float64, n int64) {
	c.n += n
	if v.coarser {
		c.sums.add(x, float64(n))
		return
	}
	var room [64 * 8]byte
	key := room[:0]
	for _, s := range x {
		key = binary.BigEndian.AppendUint64(key, math.Float64bits(s+0)) // -0 + 0 is 0
	}
	if _, ok := c.exact[string(key)]; !ok {
		v.kept++
	}
	c.exact[string(key)] += n
	if v.kept > mostVectors {
		v.coarsen()
	}
}

// coarsen leaves only the moments of what was kept as it is.
func (v *Scores) coarsen() {
	for _, cell := range v.Cells() {
		c := v.cells[cell]
		for x, n := range c.vectors(v.width) {
			c.sums.add(x, float64(n))
		}
		c.exact = nil
	}
	v.coarser, v.kept = true, 0
}

// vectors ranges over the vectors of a cell that are kept as they are, in an order
// that is always the same, with how often each is there.
func (c *vectorCell) vectors(width int) func(yield func(x []float64, n int64) bool) {
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

// moments returns those of a cell.
func (c *vectorCell) moments(width int) products {
	if c.exact == nil {
		return c.sums
	}
	var p products
	for x, n := range c.vectors(width) {
		p.add(x, float64(n))
	}
	return p
}

// add takes n of one vector in (Welford 1962, Technometrics 4:419–420).
func (p *products) add(x []float64, n float64) {
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

// join adds the moments of another set.
func (p *products) join(q products) {
	if q.n == 0 {
		return
	}
	within := q.cross
	p.add(q.mean, q.n)
	for i, s := range within {
		p.cross[i] += s
	}
}

// Merge returns the vectors in coarser cells: those of a cell go to the one that to
// names.
func (v *Scores) Merge(to func(cell int) int) *Scores {
	m := NewScores(v.width)
	m.coarser = v.coarser
	copy(m.differ, v.differ)
	for _, cell := range v.Cells() {
		from, target := v.cells[cell], m.at(to(cell))
		if v.coarser {
			target.n += from.n
			target.sums.join(from.sums)
			target.exact = nil
			continue
		}
		for x, n := range from.vectors(v.width) {
			m.put(target, x, n) // no more vectors than before: never one too many
		}
	}
	return m
}

// Cells returns the cells that hold an item, rising.
func (v *Scores) Cells() []int { return slices.Sorted(maps.Keys(v.cells)) }

// N returns the number of items.
func (v *Scores) N() (n int64) {
	for _, c := range v.cells {
		n += c.n
	}
	return n
}

// Size returns the number of items of one cell.
func (v *Scores) Size(cell int) int64 {
	if c := v.cells[cell]; c != nil {
		return c.n
	}
	return 0
}

// Lone reports whether a cell holds a single item.
func (v *Scores) Lone() bool {
	for _, c := range v.cells {
		if c.n == 1 {
			return true
		}
	}
	return false
}

// Means returns the mean score of every run over all items; nil without one.
func (v *Scores) Means() []float64 {
	if len(v.cells) == 0 {
		return nil
	}
	return v.total().mean
}

// differing returns how many items two runs differ on, of counts that later items do
// not change.
func differing(counts []int64) func(a, b int) int64 {
	counts = slices.Clone(counts)
	return func(a, b int) int64 {
		switch {
		case a == b:
			return 0
		case a < b:
			a, b = b, a
		}
		return counts[a*(a-1)/2+b]
	}
}

// total returns the moments of all vectors together.
func (v *Scores) total() products {
	var all products
	for _, cell := range v.Cells() {
		all.join(v.cells[cell].moments(v.width))
	}
	return all
}

// A weighed is a vector with its weight.
type weighed struct {
	x      []float64
	weight float64
}

// united returns vectors in their order, with the weights of equal ones added up.
func united(all []weighed) []weighed {
	slices.SortFunc(all, func(p, q weighed) int {
		return cmp.Or(slices.Compare(p.x, q.x), cmp.Compare(p.weight, q.weight))
	})
	var out []weighed
	for _, w := range all {
		if n := len(out); n > 0 && slices.Equal(out[n-1].x, w.x) {
			out[n-1].weight += w.weight
		} else {
			out = append(out, w)
		}
	}
	return out
}
