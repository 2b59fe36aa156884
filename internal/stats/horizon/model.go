package horizon

import (
	"math"
	"slices"

	"verbatim/internal/stats"
)

// A Model holds tables that depend on the lengths only, so that many counts at the same
// lengths are fitted fast; see Fit. Fitting does not change it: it is safe for concurrent
// use.
//
// With odds u against a right answer without lapses and floor, P(right) = keep·(1+floor·u)/(1+u)
// and P(wrong) = 1 - P(right), where keep = 1-lapse. The log-likelihood is a sum over lengths:
//
//	right·log(keep) + right·log(1+floor·u) + wrong·log(lapse + (1-keep·floor)·u) - (right+wrong)·log(1+u)
//
// The tables hold the last three logarithms with the lengths side by side, so that a grid
// point takes short dot products.
type Model struct {
	grid    *grid
	lengths []int     // in rising order
	all     []float64 // -log(1+u) by slope, θ and length
	hit     []float64 // log(1+floor·u) by slope, θ, floor and length
	miss    []float64 // log(lapse + (1-keep·floor)·u) by slope, θ, lapse rate, floor and length
}

// NewModel returns the model for the lengths of counts that have answers. It rejects the
// same counts as Fit.
func NewModel(counts []Counts) (*Model, error) { return newModel(defaultPrior(), counts) }

func newModel(p *prior, counts []Counts) (*Model, error) {
	m := &Model{}
	for i, c := range counts {
		if err := c.check(i); err != nil {
			return nil, err
		}
		if c.N > 0 {
			m.lengths = append(m.lengths, c.Length)
		}
	}
	if len(m.lengths) == 0 {
		return nil, stats.ErrNoData
	}
	slices.Sort(m.lengths)
	m.lengths = slices.Compact(m.lengths)
	m.grid = newGrid(p, m.lengths[0], m.lengths[len(m.lengths)-1])
	m.tabulate()
	return m, nil
}

// tabulate computes the tables.
func (m *Model) tabulate() {
	g := m.grid
	m.all = make([]float64, 0, len(g.slopes)*g.thetas*len(m.lengths))
	m.hit = make([]float64, 0, cap(m.all)*len(g.floors))
	m.miss = make([]float64, 0, cap(m.hit)*len(g.lapses))
	odds := make([][]float64, len(m.lengths))
	for l, length := range m.lengths {
		odds[l] = g.odds(length)
	}
	for r := range len(g.slopes) * g.thetas {
		for l := range odds {
			m.all = append(m.all, -math.Log1p(odds[l][r]))
		}
		for _, floor := range g.floors {
			for l := range odds {
				m.hit = append(m.hit, math.Log1p(floor*odds[l][r]))
			}
		}
		for _, lapse := range g.lapses {
			for _, floor := range g.floors {
				for l := range odds {
					m.miss = append(m.miss, math.Log(lapse+(1-(1-lapse)*floor)*odds[l][r]))
				}
			}
		}
	}
}

// A tally counts answers by the index of their length in a model.
type tally struct {
	sum               float64 // of right
	all, right, wrong []float64
}

func (m *Model) tally() tally {
	n := len(m.lengths)
	return tally{all: make([]float64, n), right: make([]float64, n), wrong: make([]float64, n)}
}

func (t *tally) add(l int, c Counts) {
	t.sum += float64(c.Right)
	t.right[l] += float64(c.Right)
	t.all[l] += float64(c.N)
	t.wrong[l] += float64(c.N - c.Right)
}
