package horizon

import (
	"cmp"
	"math"
	"slices"
)

// A grid holds the points at which a posterior of (θ, k, lapse) is summed, and
// the limit at each. A curve is a pair (k, lapse); the limit of a curve runs with θ
// in steps of the grid, less a shift of the curve's own.
//
// Limits are found by cells: cell j of the grid holds, of every curve, the one point
// whose limit lies in (edge(j)-step, edge(j)]. So a quantile needs a walk over some
// 300 cells and one over the 220 curves, and no sorting of 53,020 points.
type grid struct {
	shortest, longest int
	low, step         float64 // θ_i = low + step·i
	thetas            int
	slopes            []float64
	curves            []curve
	order             []int // curves by their limits within a cell, rising
	cells             int
}

// A curve is one choice of k and lapse rate.
type curve struct {
	slope int     // place in slopes
	keep  float64 // 1 - lapse
	prior float64
	shift float64 // θ less the limit, in doublings; never negative
	first int     // cell of the curve's lowest θ
}

// lapses are the lapse rates of the grid, rising.
var lapses = [...]float64{0, .01, .02, .04, .07, .1, .15, .2, .25, .3, .35}

// lapseWeight is the exponent of 1-lapse in the prior: about what nine more right
// answers at a length without any difficulty would say against lapses.
const lapseWeight = 9

// newGrid lays the grid for lengths from shortest to longest. Curves stand by
// slope, those of one slope by their lapse rate.
func newGrid(shortest, longest int) *grid {
	const steps, slopes = 20, 20 // of θ in a doubling; of k
	g := &grid{
		shortest: shortest, longest: longest,
		low:  doublings(shortest) - 2,
		step: 1. / steps,
	}
	// A thousandth of a step more: a range that is a whole number of steps must not
	// lose its last point to rounding.
	g.thetas = int((doublings(longest)+3-g.low)*steps+1e-3) + 1
	for i := range slopes {
		g.slopes = append(g.slopes, 0.5*math.Pow(16, float64(i)/(slopes-1)))
	}
	deepest := 0
	for i, k := range g.slopes {
		for _, lapse := range lapses {
			keep := 1 - lapse
			shift := max(0, -math.Log(2*keep-1)/k) // logit(.5/keep)/k
			down := int(shift * steps)
			g.curves = append(g.curves, curve{slope: i, keep: keep, prior: math.Pow(keep, lapseWeight), shift: shift, first: -down})
			deepest = max(deepest, down)
		}
	}
	for c := range g.curves {
		g.curves[c].first += deepest
		g.order = append(g.order, c)
	}
	within := func(c int) float64 { return g.limit(c, -g.curves[c].first) }
	slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(within(a), within(b)) })
	g.cells = deepest + g.thetas
	return g
}

// theta is the i-th θ.
func (g *grid) theta(i int) float64 { return g.low + g.step*float64(i) }

// limit is the limit in doublings of curve c at the i-th θ.
func (g *grid) limit(c, i int) float64 { return g.theta(i) - g.curves[c].shift }

// place is where a point of the grid stands among all: by curve, then by θ.
func (g *grid) place(slope, lapse, theta int) int {
	return (slope*len(lapses)+lapse)*g.thetas + theta
}

// edge is the greatest limit that cell j can hold: that of a curve without a shift.
func (g *grid) edge(j int) float64 { return g.theta(j - g.curves[0].first) }

// odds writes the odds against a right answer of a given length, lapses apart,
// for every slope and, within it, every θ.
func (g *grid) odds(length int) []float64 {
	x := doublings(length)
	out := make([]float64, 0, len(g.slopes)*g.thetas)
	for _, k := range g.slopes {
		for i := range g.thetas {
			out = append(out, math.Exp(k*(x-g.theta(i))))
		}
	}
	return out
}
