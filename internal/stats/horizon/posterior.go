package horizon

import (
	"fmt"
	"math"

	"verbatim/internal/stats"
)

// A Posterior is the posterior of the horizon on the grid. Answers can be added one by
// one; see Fit for the model. Adding an answer takes about 50 µs, a draw or a quantile
// much less. It is not safe for concurrent use.
type Posterior struct {
	grid       *grid
	weight     []float64 // by curve, then by θ; not normalised
	cell       []float64 // total weight by cell of the grid
	total      float64
	shareCache map[int][]float64 // by length: P(right) without lapses, by slope and θ
}

// NewPosterior returns the posterior without answers, for lengths from shortest to
// longest. A shortest below 1 and a longest below shortest give a *BadValue.
func NewPosterior(shortest, longest int) (*Posterior, error) {
	if shortest < 1 {
		return nil, &stats.BadValue{Index: -1, Value: float64(shortest), Why: "is not a length: it must be at least 1"}
	}
	if longest < shortest {
		return nil, &stats.BadValue{Index: -1, Value: float64(longest), Why: fmt.Sprintf("is below the shortest length %d", shortest)}
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

// unweighted returns a posterior whose weights are all 0.
func unweighted(g *grid) *Posterior {
	return &Posterior{
		grid:   g,
		weight: make([]float64, len(g.curves)*g.thetas),
		cell:   make([]float64, g.cells),
	}
}

// Add takes in one answer. The order of answers does not matter. A length outside the
// range of the posterior gives a *BadValue and changes nothing.
func (f *Posterior) Add(length int, right bool) error {
	g := f.grid
	if length < g.shortest || length > g.longest {
		return &stats.BadValue{Index: -1, Value: float64(length), Why: fmt.Sprintf("is outside the lengths from %d to %d", g.shortest, g.longest)}
	}
	if right {
		f.addCounts(f.rightShares(length), 1, 0)
	} else {
		f.addCounts(f.rightShares(length), 0, 1)
	}
	return nil
}

// addCounts takes in answers at one length, given P(right) without lapses. Dividing by the
// old total keeps the weights from underflow.
func (f *Posterior) addCounts(share []float64, right, wrong int64) {
	g := f.grid
	powers := share
	if right != 1 {
		powers = make([]float64, len(share))
		for i, s := range share {
			powers[i] = power(s, right)
		}
	}
	clear(f.cell)
	for c, curve := range g.curves {
		scale := power(curve.keep, right) / f.total
		share, powers := share[curve.slope*g.thetas:][:g.thetas], powers[curve.slope*g.thetas:][:g.thetas]
		weight, cell := f.weight[c*g.thetas:][:g.thetas], f.cell[curve.first:][:g.thetas]
		for i, w := range weight {
			w *= scale * powers[i]
			if wrong > 0 {
				miss := 1 - curve.keep*share[i]
				if wrong > 1 {
					miss = power(miss, wrong)
				}
				w *= miss
			}
			weight[i] = w
			cell[i] += w
		}
	}
	f.sum()
}

// power returns x to the n, for n ≥ 0.
func power(x float64, n int64) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}

// rightShares returns P(right) without lapses at a length. Results are cached.
func (f *Posterior) rightShares(length int) []float64 {
	if share, ok := f.shareCache[length]; ok {
		return share
	}
	share := f.grid.odds(length)
	for i, odds := range share {
		share[i] = 1 / (1 + odds)
	}
	if f.shareCache == nil {
		f.shareCache = make(map[int][]float64)
	}
	f.shareCache[length] = share
	return share
}

// sum computes the total of the cells.
func (f *Posterior) sum() {
	f.total = 0
	for _, w := range f.cell {
		f.total += w
	}
}

// Draw returns the quantile u of the posterior, as a length. With u uniform between 0 and
// 1 it is a draw; with 0.5 it is the median. Below 0 and above 1 it is the end of the grid
// that has weight. NaN counts as 0.
func (f *Posterior) Draw(u float64) float64 { return math.Exp2(f.quantile(u)) }

// quantile returns the smallest horizon of the grid, in doublings, that has the share p of
// the weight at or below it.
func (f *Posterior) quantile(p float64) float64 {
	if !(p > 0) {
		p = 0
	}
	// The terms are added in the same order as in sum, so the total is reached exactly.
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
			last = g.horizon(c, i)
			if sum >= target {
				return last
			}
		}
		// Rounding made the cell's weight larger than the sum of its points.
	}
	return last
}

// Estimate returns the median, the 95 % interval, and the probabilities that the horizon
// is outside the range of lengths.
func (f *Posterior) Estimate() Estimate {
	g := f.grid
	return Estimate{
		L50:      f.Draw(0.5),
		Interval: stats.Interval{Low: f.Draw(0.025), High: f.Draw(0.975)},
		Above:    1 - f.upTo(log2Length(g.longest)-tolerance),
		Below:    f.upTo(log2Length(g.shortest) - tolerance),
		Shortest: g.shortest,
		Longest:  g.longest,
	}
}

// tolerance lets a grid point at the longest or shortest length count as inside the range
// in spite of rounding.
const tolerance = 1e-9

// upTo is the posterior probability of a horizon of at most x doublings.
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
			if i >= 0 && i < g.thetas && g.horizon(c, i) <= x {
				sum += f.weight[c*g.thetas+i]
			}
		}
	}
	return min(sum/f.total, 1)
}
