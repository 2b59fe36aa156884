package horizon

import (
	"fmt"
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

// curveBins is the resolution of a band: its ends are rounded outwards to multiples of
// 1/4,096.
const curveBins = 4096

// Curve returns the expected share of right answers at a length, with its pointwise 95 %
// equal-tailed band. The length may lie outside the range of the fit. A length below 1
// gives a *BadValue.
func (f *Posterior) Curve(length int) (share float64, band stats.Interval, err error) {
	if length < 1 {
		return 0, stats.Interval{}, &stats.BadValue{Index: -1, Value: float64(length), Why: "is not a length: it must be at least 1"}
	}
	g := f.grid
	odds := g.odds(length)
	var bins [curveBins + 1]float64
	for c, curve := range g.curves {
		row, floor := odds[curve.slope*g.thetas:][:g.thetas], g.floors[curve.floor]
		for i, w := range f.weight[c*g.thetas:][:g.thetas] {
			if w == 0 {
				continue
			}
			p := curve.keep * (1 + floor*row[i]) / (1 + row[i])
			share += w * p
			bins[int(p*curveBins)] += w
		}
	}
	share /= f.total
	low, high := 0, 0
	sum := 0.0
	for i, w := range bins {
		if w == 0 {
			continue
		}
		if sum < 0.025*f.total {
			low = i
		}
		if sum < 0.975*f.total {
			high = i
		}
		sum += w
	}
	return share, stats.Interval{Low: float64(low) / curveBins, High: min(float64(high+1)/curveBins, 1)}, nil
}

// A prior is the set of curves of a grid, with their weights: every combination of a slope,
// a lapse rate and a floor.
type prior struct {
	slopes []float64 // rising; the last may be infinite: a step
	lapses []float64 // rising
	floors []float64 // rising, from 0
	// lapseWeights and floorWeights are the weights of lapses and floors.
	lapseWeights, floorWeights []float64
}

// defaultPrior is the prior of Fit.
//
// Slopes are log-uniform from 0.35 to 15, and a step has the weight of one slope. Lapse
// rates go up to 1: the ceiling may be below one half. Their weights are (1-lapse)^9, worth
// nine right answers at an easy length, plus lapseTail. Without that tail, many lapses are
// taken for a slow slope, and intervals hold the horizon in 70 % of cases only. One curve in
// ten has a floor.
func defaultPrior() *prior {
	p := &prior{
		lapses:       []float64{0, .03, .07, .12, .18, .25, .32, .38, .43, .48, .52, .57, .64, .75, .88, 1},
		floors:       []float64{0, .05},
		floorWeights: []float64{.9, .1},
	}
	for k := 0.35; k < 20; k *= 1.6 {
		p.slopes = append(p.slopes, k)
	}
	p.slopes = append(p.slopes, math.Inf(1))
	const lapseTail = .08
	for _, lapse := range p.lapses {
		p.lapseWeights = append(p.lapseWeights, math.Pow(1-lapse, 9)+lapseTail)
	}
	return p
}

// steps is the index of the slope of a step; -1 without one.
func (p *prior) steps() int { return slices.Index(p.slopes, math.Inf(1)) }

// index returns the index of a curve: by slope, then by lapse rate, then by floor.
func (p *prior) index(slope, lapse, floor int) int {
	return (slope*len(p.lapses)+lapse)*len(p.floors) + floor
}

// logRange is how far the log weight of a point may be below the best one. All points
// below it together weigh less than the rounding error of the sum.
const logRange = 35

// fill sets the weights of f, which has none yet, to the posterior of t.
func (m *Model) fill(f *Posterior, t tally) {
	g := m.grid
	keeps := m.keepTerms(t)
	best := math.Inf(-1)
	for r := range len(g.slopes) * g.thetas {
		k, i := r/g.thetas, r%g.thetas
		for floor := range g.floors {
			shared := m.sharedTerm(t, r, floor)
			for l := range g.lapses {
				v := shared + keeps[l*len(g.floors)+floor] + m.wrongTerm(t, r, l, floor)
				f.weight[g.index(k, l, floor)*g.thetas+i] = v
				best = max(best, v)
			}
		}
	}
	for c, curve := range g.curves {
		cell := f.cell[curve.first:][:g.thetas]
		for i, v := range f.weight[c*g.thetas:][:g.thetas] {
			w := 0.0
			if v > best-logRange {
				w = math.Exp(v - best)
			}
			f.weight[c*g.thetas+i] = w
			cell[i] += w
		}
	}
	f.sum()
}

// keepTerms returns, by lapse rate and floor, the log prior and the part of the
// log-likelihood of the right answers that depends on the lapse rate only.
func (m *Model) keepTerms(t tally) []float64 {
	out := make([]float64, 0, len(m.grid.lapses)*len(m.grid.floors))
	for l, lapse := range m.grid.lapses {
		keep := 0.0
		if t.sum > 0 {
			keep = t.sum * math.Log1p(-lapse)
		}
		for f := range m.grid.floors {
			out = append(out, keep+m.grid.logWeights[l*len(m.grid.floors)+f])
		}
	}
	return out
}

// sharedTerm is the part of the log-likelihood that does not depend on the lapse rate, at
// the r-th pair of slope and θ.
func (m *Model) sharedTerm(t tally, r, floor int) float64 {
	n := len(t.all)
	v := dot(t.all, m.all[r*n:])
	if floor > 0 { // of a floor of 0 it is 0
		v += dot(t.right, m.hit[(r*len(m.grid.floors)+floor)*n:])
	}
	return v
}

// wrongTerm is the log-likelihood of the wrong answers for the l-th lapse rate, at the
// r-th pair of slope and θ.
func (m *Model) wrongTerm(t tally, r, l, floor int) float64 {
	g := m.grid
	return dot(t.wrong, m.miss[((r*len(g.lapses)+l)*len(g.floors)+floor)*len(t.wrong):])
}

// dot is the scalar product of x with as many numbers of y.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// Counts are the answers at one length: Right of N were right.
type Counts struct {
	Length   int // at least 1
	Right, N int64
}

// check rejects invalid counts.
func (c Counts) check(i int) error {
	switch {
	case c.Length < 1:
		return &stats.BadValue{Index: i, Value: float64(c.Length), Why: "is not a length: it must be at least 1"}
	case c.N < 0:
		return &stats.BadValue{Index: i, Value: float64(c.N), Why: "is not a number of answers"}
	case c.Right < 0 || c.Right > c.N:
		return &stats.BadValue{Index: i, Value: float64(c.Right), Why: fmt.Sprintf("is not a number of right answers out of %d", c.N)}
	}
	return nil
}

// log2Length is the scale on which lengths are compared: doublings.
func log2Length(length int) float64 { return math.Log2(float64(length)) }
