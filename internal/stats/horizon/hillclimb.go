package horizon

import "math"

// A hillClimb finds the median of one posterior after another. It visits only grid points
// with relevant weight, some hundred for a thousand answers. It climbs from a given point
// to the maximum and then visits neighbours as long as they have weight. It assumes that
// the relevant points are connected, which holds for pooled tasks.
type hillClimb struct {
	*Model
	tally   tally // filled before each climb
	fit     *Posterior
	keeps   [len(lapseRates)]float64
	seen    []uint32 // by index of fit.weight: the round of the last visit
	round   uint32
	visited []point // in this round
	best    point
}

// A point is a point of the grid with its log weight.
type point struct {
	slope, lapse, theta int
	log                 float64
}

// climbLogRange is the same as logRange, but for a hill climb. Points below it have less
// than a thousandth of the weight and hardly move a median.
const climbLogRange = 9

// climbSlopes is the step between slopes: half of them are enough for a median.
const climbSlopes = 2

func (m *Model) newHillClimb() *hillClimb {
	f := unweighted(m.grid)
	return &hillClimb{Model: m, tally: m.tally(), fit: f, seen: make([]uint32, len(f.weight))}
}

// median returns the median of the posterior of c.tally, as a length. The climb starts at
// a point of the grid.
func (c *hillClimb) median(from point) float64 {
	c.round++
	c.visited = c.visited[:0]
	c.keeps = c.tally.rightTerms()
	c.best.log = math.Inf(-1)
	c.visit(from.slope, from.lapse, from.theta)
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
	c.visit(p.slope-climbSlopes, p.lapse, p.theta)
	c.visit(p.slope+climbSlopes, p.lapse, p.theta)
	c.visit(p.slope, p.lapse-1, p.theta)
	c.visit(p.slope, p.lapse+1, p.theta)
	c.visit(p.slope, p.lapse, p.theta-1)
	c.visit(p.slope, p.lapse, p.theta+1)
}

// visit computes the weight of a point, once a round, if the point exists.
func (c *hillClimb) visit(slope, lapse, theta int) {
	g := c.grid
	if slope < 0 || lapse < 0 || theta < 0 || slope >= len(g.slopes) || lapse >= len(lapseRates) || theta >= g.thetas {
		return
	}
	seen := &c.seen[g.index(slope, lapse, theta)]
	if *seen == c.round {
		return
	}
	*seen = c.round
	r := slope*g.thetas + theta
	p := point{slope, lapse, theta, c.keeps[lapse] + c.sharedTerm(c.tally, r) + c.wrongTerm(c.tally, r, lapse)}
	c.visited = append(c.visited, p)
	if p.log > c.best.log {
		c.best = p
	}
}

// weightedMedian returns the median of the points visited.
func (c *hillClimb) weightedMedian() float64 {
	g := c.grid
	clear(c.fit.cell)
	for _, p := range c.visited {
		w := math.Exp(p.log - c.best.log)
		at := g.index(p.slope, p.lapse, p.theta)
		c.fit.weight[at] = w
		c.fit.cell[g.curves[at/g.thetas].first+p.theta] += w
	}
	c.fit.sum()
	median := c.fit.Draw(0.5)
	for _, p := range c.visited {
		c.fit.weight[g.index(p.slope, p.lapse, p.theta)] = 0
	}
	return median
}
