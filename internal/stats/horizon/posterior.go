package horizon

import (
	"fmt"
	"math"

	"verbatim/internal/stats"
)

// A Posterior is the posterior of a limit, kept so that answers can be added one by
// one; see Fit for the model. An answer costs a walk over the grid, some 50 µs,
// and a draw or a quantile much less. It is not for use from several goroutines.
type Posterior struct {
	grid   *grid
	weight []float64 // of every curve and, within it, every θ; not normalised
	cell   []float64 // weight by cell of the grid
	total  float64
	right  map[int][]float64 // by length: P(right) without lapses, for every slope and θ
}

// NewPosterior returns the posterior before any answer, for lengths from shortest to
// longest. It is a *BadValue if shortest is below 1 or longest below shortest.
func NewPosterior(shortest, longest int) (*Posterior, error) {
	if shortest < 1 {
		return nil, &stats.BadValue{Index: -1, Value: float64(shortest), Why: "is no length: the shortest is 1"}
	}
	if longest < shortest {
		return nil, &stats.BadValue{Index: -1, Value: float64(longest), Why: fmt.Sprintf("is below the shortest length, %d", shortest)}
	}
	f := unweighted(newGrid(shortest, longest))
	for c, curve := range f.grid.curves {
		for i := range f.grid.thetas {
			f.weight[c*f.grid.thetas+i] = curve.prior
			f.cell[curve.first+i] += curve.prior
			f.total += curve.prior
		}
	}
	return f, nil
}

// unweighted returns a fit without any weight.
func unweighted(g *grid) *Posterior {
	return &Posterior{
		grid:   g,
		weight: make([]float64, len(g.curves)*g.thetas),
		cell:   make([]float64, g.cells),
	}
}

// Add takes in one answer. The order of answers does not matter. It is a *BadValue,
// and the fit stays as it was, if the length is outside those that it was made for.
func (f *Posterior) Add(length int, right bool) error {
	g := f.grid
	if length < g.shortest || length > g.longest {
		return &stats.BadValue{Index: -1, Value: float64(length), Why: fmt.Sprintf("is outside the lengths from %d to %d", g.shortest, g.longest)}
	}
	if right {
		f.multiply(f.shares(length), 1, 0)
	} else {
		f.multiply(f.shares(length), 0, 1)
	}
	return nil
}

// multiply takes in answers of one length, given P(right) without lapses. Dividing by
// the old total keeps weights from fading to nothing.
func (f *Posterior) multiply(share []float64, right, wrong int64) {
	g := f.grid
	powers := share
	if right != 1 {
		powers = make([]float64, len(share))
		for i, s := range share {
			powers[i] = raised(s, right)
		}
	}
	clear(f.cell)
	for c, curve := range g.curves {
		scale := raised(curve.keep, right) / f.total
		share, powers := share[curve.slope*g.thetas:][:g.thetas], powers[curve.slope*g.thetas:][:g.thetas]
		weight, cell := f.weight[c*g.thetas:][:g.thetas], f.cell[curve.first:][:g.thetas]
		for i, w := range weight {
			w *= scale * powers[i]
			if wrong > 0 {
				miss := 1 - curve.keep*share[i]
				if wrong > 1 {
					miss = raised(miss, wrong)
				}
				w *= miss
			}
			weight[i] = w
			cell[i] += w
		}
	}
	f.sum()
}

// raised is x to the n, for n not below 0.
func raised(x float64, n int64) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}

// shares returns P(right) without lapses for a length, from what is kept.
func (f *Posterior) shares(length int) []float64 {
	if share, ok := f.right[length]; ok {
		return share
	}
	share := f.grid.odds(length)
	for i, odds := range share {
		share[i] = 1 / (1 + odds)
	}
	if f.right == nil {
		f.right = make(map[int][]float64)
	}
	f.right[length] = share
	return share
}

func (f *Posterior) sum() {
	f.total = 0
	for _, w := range f.cell {
		f.total += w
	}
}

// Draw returns the length at which the posterior distribution of the limit reaches
// u: with u uniform between 0 and 1 it is a draw from the posterior, with 0.5 the
// median. It rises with u; below 0 and above 1 it is the end of the grid that has any
// weight, and so it is for NaN, which is taken for 0.
func (f *Posterior) Draw(u float64) float64 { return math.Exp2(f.quantile(u)) }

// quantile is the smallest limit of the grid, in doublings, up to which the share p
// of the weight lies.
func (f *Posterior) quantile(p float64) float64 {
	if !(p > 0) {
		p = 0
	}
	// The sum below is that of sum, term by term: it reaches the whole exactly.
	g, target := f.grid, min(p, 1)*f.total
	sum, last := 0.0, 0.0
	for j, w := range f.cell {
		if w == 0 || sum+w < target {
			sum += w
			continue
		}
		for _, c := range g.order {
			i := j - g.curves[c].first
			if i < 0 || i >= g.thetas || f.weight[c*g.thetas+i] == 0 {
				continue
			}
			sum += f.weight[c*g.thetas+i]
			last = g.limit(c, i)
			if sum >= target {
				return last
			}
		}
		// The cell's own sum was rounded up beyond those of its points.
	}
	return last
}

// Estimate returns the median of the posterior, its 95 % interval and how likely the
// limit is to lie outside the lengths that the fit was made for.
func (f *Posterior) Estimate() Estimate {
	g := f.grid
	return Estimate{
		L50:      f.Draw(0.5),
		Interval: stats.Interval{Low: f.Draw(0.025), High: f.Draw(0.975)},
		Above:    1 - f.upTo(doublings(g.longest)-tolerance),
		Below:    f.upTo(doublings(g.shortest) - tolerance),
		Shortest: g.shortest,
		Longest:  g.longest,
	}
}

// tolerance lets the points of the grid that are the longest or the shortest
// length themselves count as no shorter than it, whatever rounding made of them.
const tolerance = 1e-9

// upTo is the posterior probability of a limit of at most x doublings.
func (f *Posterior) upTo(x float64) float64 {
	g, sum := f.grid, 0.0
	for j, w := range f.cell {
		if g.edge(j) <= x {
			sum += w
			continue
		}
		if g.edge(j)-g.step > x {
			break
		}
		for c, curve := range g.curves {
			i := j - curve.first
			if i >= 0 && i < g.thetas && g.limit(c, i) <= x {
				sum += f.weight[c*g.thetas+i]
			}
		}
	}
	return min(sum/f.total, 1)
}
