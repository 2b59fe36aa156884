package horizon

import (
	"cmp"
	"math"
	"slices"
)

// A grid is the set of parameters (θ, k, lapse) over which the posterior is summed, and
// the horizon at each. A curve is a pair (k, lapse). The horizon of a curve follows θ in
// steps of the grid, minus a shift of the curve.
//
// Horizons are found by cells. Cell j holds, of every curve, the one point whose horizon
// is in (edge(j)-step, edge(j)]. A quantile then takes one pass over some 300 cells and
// one over 220 curves, and no sorting of 53,020 points.
type grid struct {
	shortest, longest int
	low, step         float64 // θ_i = low + step·i
	thetas            int
	slopes            []float64
	curves            []curve
	order             []int // curves by their horizon within a cell, rising
	cells             int
}

// A curve is one choice of slope k and lapse rate.
type curve struct {
	slope int     // index of slopes
	keep  float64 // 1 - lapse
	prior float64
	shift float64 // θ minus the horizon, in doublings; never negative
	first int     // cell of the lowest θ
}

// lapseRates are the lapse rates of the grid, in rising order.
var lapseRates = [...]float64{0, .01, .02, .04, .07, .1, .15, .2, .25, .3, .35}

// lapseWeight is the exponent of 1-lapse in the prior. It is worth about nine right
// answers at a trivially easy length.
const lapseWeight = 9

// newGrid makes the grid for lengths from shortest to longest. Curves are ordered by
// slope, then by lapse rate.
func newGrid(shortest, longest int) *grid {
	const steps, slopes = 20, 20 // steps of θ in a doubling; number of slopes k
	g := &grid{
		shortest: shortest, longest: longest,
		low:  log2Length(shortest) - 2,
		step: 1. / steps,
	}
	// A thousandth of a step is added, so that rounding does not lose the last point.
	g.thetas = int((log2Length(longest)+3-g.low)*steps+1e-3) + 1
	for i := range slopes {
		g.slopes = append(g.slopes, 0.5*math.Pow(16, float64(i)/(slopes-1)))
	}
	deepest := 0
	for i, k := range g.slopes {
		for _, lapse := range lapseRates {
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
	within := func(c int) float64 { return g.horizon(c, -g.curves[c].first) }
	slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(within(a), within(b)) })
	g.cells = deepest + g.thetas
	return g
}

// theta returns the i-th θ.
func (g *grid) theta(i int) float64 { return g.low + g.step*float64(i) }

// horizon returns the horizon of curve c at the i-th θ, in doublings.
func (g *grid) horizon(c, i int) float64 { return g.theta(i) - g.curves[c].shift }

// index returns the index of a grid point: by curve, then by θ.
func (g *grid) index(slope, lapse, theta int) int {
	return (slope*len(lapseRates)+lapse)*g.thetas + theta
}

// edge returns the largest horizon in cell j: the one of a curve without shift.
func (g *grid) edge(j int) float64 { return g.theta(j - g.curves[0].first) }

// odds returns the odds against a right answer at a length, without lapses, by slope and
// θ.
func (g *grid) odds(length int) []float64 {
	x := log2Length(length)
	out := make([]float64, 0, len(g.slopes)*g.thetas)
	for _, k := range g.slopes {
		for i := range g.thetas {
			out = append(out, math.Exp(k*(x-g.theta(i))))
		}
	}
	return out
}
