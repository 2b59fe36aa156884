package horizon

import (
	"cmp"
	"math"
	"slices"
)

// A grid is the set of parameters (θ, k, lapse, floor) over which the posterior is summed,
// and the horizon at each. A curve is a triple (k, lapse, floor). The horizon of a curve
// follows θ in steps of the grid, minus a shift of the curve. A curve whose ceiling is at
// most one half never has one.
//
// Horizons are found by cells. The first cells hold the curves without a horizon, one cell
// for each θ. Each further cell j holds, of every other curve, the one point whose horizon
// is in (edge(j)-step, edge(j)]. A quantile then takes one pass over the cells and one over
// the curves, and no sorting of all points.
type grid struct {
	*prior
	shortest, longest int
	low, step         float64 // θ_i = low + step·i
	thetas            int
	curves            []curve
	logWeights        []float64 // of the prior, by lapse rate and floor
	order             []int     // curves with a horizon, by their horizon within a cell, rising
	cells             int
	zero              int // cell of the lowest θ of a curve without shift
}

// A curve is one choice of slope k, lapse rate and floor.
type curve struct {
	slope  int     // index of slopes
	keep   float64 // 1 - lapse
	floor  int     // index of floors
	weight float64 // of the prior
	shift  float64 // θ minus the horizon, in doublings
	first  int     // cell of the lowest θ
	never  bool    // the ceiling is at most one half
}

// newGrid makes the grid for lengths from shortest to longest, with curves in the order of
// the prior.
func newGrid(p *prior, shortest, longest int) *grid {
	const steps = 20 // of θ in a doubling
	g := &grid{
		prior:    p,
		shortest: shortest, longest: longest,
		low:  log2Length(shortest) - 2,
		step: 1. / steps,
	}
	// A thousandth of a step is added, so that rounding does not lose the last point.
	g.thetas = int((log2Length(longest)+3-g.low)*steps+1e-3) + 1
	for _, lapse := range p.lapseWeights {
		for _, floor := range p.floorWeights {
			g.logWeights = append(g.logWeights, math.Log(lapse*floor))
		}
	}
	highest, deepest := 0, 0
	for i, k := range p.slopes {
		for l, lapse := range p.lapses {
			for f, floor := range p.floors {
				c := curve{slope: i, keep: 1 - lapse, floor: f, weight: p.lapseWeights[l] * p.floorWeights[f], never: lapse >= 0.5}
				if !c.never {
					half := (.5/c.keep - floor) / (1 - floor)
					c.shift = math.Log(half/(1-half)) / k
					c.first = -int(math.Floor(c.shift * steps))
					highest, deepest = max(highest, c.first), max(deepest, -c.first)
				}
				g.curves = append(g.curves, c)
			}
		}
	}
	g.zero = g.thetas + deepest
	for c := range g.curves {
		if g.curves[c].never {
			continue
		}
		g.curves[c].first += g.zero
		g.order = append(g.order, c)
	}
	within := func(c int) float64 { return g.horizon(c, -g.curves[c].first) }
	slices.SortStableFunc(g.order, func(a, b int) int { return cmp.Compare(within(a), within(b)) })
	g.cells = g.zero + highest + g.thetas
	return g
}

// theta returns the i-th θ.
func (g *grid) theta(i int) float64 { return g.low + g.step*float64(i) }

// horizon returns the horizon of curve c at the i-th θ, in doublings.
func (g *grid) horizon(c, i int) float64 { return g.theta(i) - g.curves[c].shift }

// edge returns the largest horizon in cell j: that of a curve without shift.
func (g *grid) edge(j int) float64 { return g.theta(j - g.zero) }

// tolerance lets a grid point at the longest or shortest length count as inside the range
// in spite of rounding.
const tolerance = 1e-9

// stepLogOdds are the logarithm of the odds of a step: for a right answer up to its θ, and for
// a wrong one above.
const stepLogOdds = 20

// odds returns the odds against a right answer at a length, without lapses and floor: by
// slope, then by θ.
func (g *grid) odds(length int) []float64 {
	x := log2Length(length)
	out := make([]float64, 0, len(g.slopes)*g.thetas)
	for _, k := range g.slopes {
		for i := range g.thetas {
			log := k * (x - g.theta(i))
			switch {
			case !math.IsInf(k, 1):
			case x <= g.theta(i)+tolerance:
				log = -stepLogOdds
			default:
				log = stepLogOdds
			}
			out = append(out, math.Exp(log))
		}
	}
	return out
}
