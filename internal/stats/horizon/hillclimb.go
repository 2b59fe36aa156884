package horizon

import "math"

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
