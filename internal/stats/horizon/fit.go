package horizon

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"verbatim/internal/stats"
)

// Fit returns the posterior of the horizon, given counts of right answers. Answers are
// assumed to be independent given their length. The curve is logistic in the logarithm of the length,
// with a lapse rate and a small floor of lucky guesses (Wichmann and Hill 2001, Perception &
// Psychophysics 63:1293–1313):
//
//	P(right | L) = (1-lapse) (floor + (1-floor) / (1 + exp(-k (θ - log2 L))))
//
// The horizon is where this probability is one half, lapses included. A curve with a lapse
// rate of one half or more has no horizon. The posterior is summed over a fixed grid: θ
// uniform from two doublings below the shortest length to three above the longest, in steps
// of 0.05; slopes from 0.35 to steps, lapse rates up to 1, floors of 0 and 0.05 (see
// defaultPrior). There is no optimiser, so every set of counts has a result: all right, all
// wrong, or perfectly separated. The resolution is 0.05 doublings.
//
// The interval of Posterior.Estimate holds the horizon in at least 93 % of simulated cases for lapse rates from 0
// to 0.9 and slopes from 0.5 to steps, wherever a step is between two lengths. For that it
// is wider than 95 % of the posterior in two cases; see openTail and lowEnd.
//
// Use a Model to fit many counts at the same lengths. Lengths may come in any order and
// more than once. A length without answers is ignored. Invalid counts give a *BadValue
// with their index: a length below 1, or a number of right answers outside 0 to N. Without
// answers the error is ErrNoData.
func Fit(counts []Counts) (*Posterior, error) {
	shortest, longest, answers := math.MaxInt, 0, int64(0)
	for i, c := range counts {
		if err := c.check(i); err != nil {
			return nil, err
		}
		if c.N > 0 {
			shortest, longest = min(shortest, c.Length), max(longest, c.Length)
			answers = min(answers+c.N, fewAnswers)
		}
	}
	switch answers {
	case 0:
		return nil, stats.ErrNoData
	case fewAnswers: // or more
		m, err := NewModel(counts)
		if err != nil {
			return nil, err
		}
		return m.Fit(counts)
	}
	f, err := NewPosterior(shortest, longest)
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		if c.N > 0 {
			f.addCounts(c)
		}
	}
	return f, nil
}

// fewAnswers is the number of answers below which Fit multiplies probabilities: their product
// stays far above the smallest float64. More answers need logarithms, which are slower.
const fewAnswers = 500

// Fit returns the posterior of counts, whose lengths must be lengths of the model. It
// rejects the same counts as Fit.
func (m *Model) Fit(counts []Counts) (*Posterior, error) {
	t, answers := m.tally(), int64(0)
	for i, c := range counts {
		if err := c.check(i); err != nil {
			return nil, err
		}
		if c.N == 0 {
			continue
		}
		l, ok := slices.BinarySearch(m.lengths, c.Length)
		if !ok {
			return nil, &stats.BadValue{Index: i, Value: float64(c.Length), Why: "is not a length of the model"}
		}
		t.add(l, c)
		answers += c.N
	}
	if answers == 0 {
		return nil, stats.ErrNoData
	}
	f := unweighted(m.grid)
	for l, n := range m.lengths {
		if t.all[l] > 0 {
			f.lengths = append(f.lengths, n)
		}
	}
	m.fill(f, t)
	return f, nil
}

// A hillClimb finds the median of one posterior after another, among the curves with one
// floor. It climbs from a given point to the maximum, and then visits neighbours as long as
// they have relevant weight: some hundred points for a thousand answers. It assumes that the
// relevant points are connected, which holds for pooled tasks.
type hillClimb struct {
	*Model
	tally   tally      // filled before each climb
	fit     *Posterior // with weights only during weightedMedian
	keeps   []float64
	seen    []uint32 // by index of fit.weight: the round of the last visit
	round   uint32
	visited []point // in this round
	best    point
}

// A point is a point of the grid with its log weight.
type point struct {
	slope, lapse, floor, theta int
	log                        float64
}

// climbLogRange is logRange for a hill climb. Points below it have less than a thousandth of
// the weight and hardly move a median.
const climbLogRange = 9

func (m *Model) newHillClimb() *hillClimb {
	f := unweighted(m.grid)
	return &hillClimb{Model: m, tally: m.tally(), fit: f, seen: make([]uint32, len(f.weight))}
}

// median returns the median of the posterior of c.tally, as a length. The climb starts at
// a point of the grid.
func (c *hillClimb) median(from point) float64 {
	c.round++
	c.visited = c.visited[:0]
	c.keeps = c.keepTerms(c.tally)
	c.best.log = math.Inf(-1)
	c.visit(from)
	for top := math.Inf(-1); c.best.log > top; {
		top = c.best.log
		c.visitNeighbours(c.best)
	}
	// Points found here are appended and visited in turn.
	for i := 0; i < len(c.visited); i++ {
		if c.visited[i].log > c.best.log-climbLogRange {
			c.visitNeighbours(c.visited[i])
		}
	}
	return c.weightedMedian()
}

// visitNeighbours visits the neighbours of p.
func (c *hillClimb) visitNeighbours(p point) {
	for _, d := range [...]point{{slope: -1}, {slope: 1}, {lapse: -1}, {lapse: 1}, {theta: -1}, {theta: 1}} {
		c.visit(point{slope: p.slope + d.slope, lapse: p.lapse + d.lapse, floor: p.floor + d.floor, theta: p.theta + d.theta})
	}
}

// visit computes the weight of a point, once a round, if the point exists.
func (c *hillClimb) visit(p point) {
	g := c.grid
	if min(p.slope, p.lapse, p.floor, p.theta) < 0 || p.slope >= len(g.slopes) || p.lapse >= len(g.lapses) || p.floor >= len(g.floors) || p.theta >= g.thetas {
		return
	}
	seen := &c.seen[c.index(p)]
	if *seen == c.round {
		return
	}
	*seen = c.round
	r := p.slope*g.thetas + p.theta
	p.log = c.keeps[p.lapse*len(g.floors)+p.floor] + c.sharedTerm(c.tally, r, p.floor) + c.wrongTerm(c.tally, r, p.lapse, p.floor)
	c.visited = append(c.visited, p)
	if p.log > c.best.log {
		c.best = p
	}
}

// index returns the index of a point in the weights of the posterior.
func (c *hillClimb) index(p point) int {
	return c.grid.index(p.slope, p.lapse, p.floor)*c.grid.thetas + p.theta
}

// weightedMedian returns the median of the points visited.
func (c *hillClimb) weightedMedian() float64 {
	g := c.grid
	clear(c.fit.cell)
	for _, p := range c.visited {
		w := math.Exp(p.log - c.best.log)
		at := c.index(p)
		c.fit.weight[at] = w
		c.fit.cell[g.curves[at/g.thetas].first+p.theta] += w
	}
	c.fit.sum()
	median := c.fit.Draw(0.5)
	for _, p := range c.visited {
		c.fit.weight[c.index(p)] = 0
	}
	return median
}

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

// An Estimate is the 50 % horizon: the length at which the share of right answers falls to
// one half. A length of 0 means that it is above one half at no length.
type Estimate struct {
	L50      float64        // median of the posterior; of FitTasks, from the pooled counts
	Interval stats.Interval // 95 %, in lengths
	Above    float64        // P(L50 ≥ Longest)
	Below    float64        // P(L50 < Shortest), including Never
	Never    float64        // P(the share is above one half at no length)
	Shortest int            // of the lengths with answers
	Longest  int
}

// IsNever reports whether the share is probably above one half at no length. That it is so
// only at lengths below the shortest, which have no answers, must be less than half as
// probable.
func (l Estimate) IsNever() bool { return l.Never > 0.5 && l.Never > 2*(l.Below-l.Never) }

// NeverText is the text of a horizon that does not exist.
const NeverText = "none"

// String formats the horizon for a reader: "64", with one decimal below ten. It is NeverText
// if IsNever. It is "> 256" if the horizon and more than half of its probability are above
// the longest length, and "< 2" if they are below the shortest.
func (l Estimate) String() string {
	switch {
	case l.IsNever():
		return NeverText
	case l.Above > 0.5 && l.L50 > float64(l.Longest):
		return fmt.Sprintf("> %d", l.Longest)
	case l.Below > 0.5 && l.L50 < float64(l.Shortest):
		return fmt.Sprintf("< %d", l.Shortest)
	case l.L50 < 9.95:
		return fmt.Sprintf("%.1f", l.L50)
	}
	return fmt.Sprintf("%.0f", l.L50)
}

// A Longest is the longest length at which a share of right answers is reached. A length of
// 0 means that it is reached at no length of the range.
type Longest struct {
	Length    int // by the expected curve
	Low, High int // by the lower and by the upper end of its pointwise 95 % band
}

// Longest returns the longest length, from shortest to longest, at which the expected share
// of right answers is at least share. A shortest below 1 gives a *BadValue.
func (f *Posterior) Longest(share float64, shortest, longest int) (l Longest, err error) {
	if _, _, err := f.Curve(shortest); err != nil {
		return Longest{}, err
	}
	type point struct {
		share float64
		band  stats.Interval
	}
	points := map[int]point{} // the three searches meet at many lengths
	search := func(at func(share float64, band stats.Interval) float64) int {
		// Shares fall with the length, so that a binary search finds the first below.
		return shortest - 1 + sort.Search(longest-shortest+1, func(i int) bool {
			p, known := points[i]
			if !known {
				p.share, p.band, _ = f.Curve(shortest + i) // shortest is a length, so that longer ones are
				points[i] = p
			}
			return at(p.share, p.band) < share
		})
	}
	l = Longest{
		Length: search(func(expected float64, _ stats.Interval) float64 { return expected }),
		Low:    search(func(_ float64, band stats.Interval) float64 { return band.Low }),
		High:   search(func(_ float64, band stats.Interval) float64 { return band.High }),
	}
	for _, n := range []*int{&l.Length, &l.Low, &l.High} {
		if *n < shortest {
			*n = 0
		}
	}
	return l, nil
}
