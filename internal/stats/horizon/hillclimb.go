package horizon

import "math"

// A hillClimb finds the median of one posterior after another by looking only at
// the points of the grid that carry weight: it climbs from a given point to the best
// one and goes from there as far as weight reaches, some hundred points where there
// are a thousand answers. It takes for granted that these points hang together, which
// they do for pooled tasks.
type hillClimb struct {
	*Model
	tally tally // to be filled before each climb
	fit   *Posterior
	keeps [len(lapses)]float64
	seen  []uint32 // by place in fit.weight: the round in which it was last looked at
	round uint32
	near  []point // what was looked at in this round
	best  point
}

// A point is a point of the grid with the logarithm of its weight.
type point struct {
	slope, lapse, theta int
	log                 float64
}

// climbLogRange is to a climb what logRange is to a fit: what lies farther away, less
// than a thousandth of the weight, hardly moves a median.
const climbLogRange = 9

// climbSlopes makes a climb step over slopes: half of them do for a median.
const climbSlopes = 2

func (m *Model) newHillClimb() *hillClimb {
	f := unweighted(m.grid)
	return &hillClimb{Model: m, tally: m.tally(), fit: f, seen: make([]uint32, len(f.weight))}
}

// median returns the median of the posterior of c.tally, in lengths, climbing from a
// point of the grid.
func (c *hillClimb) median(from point) float64 {
	c.round++
	c.near = c.near[:0]
	c.keeps = c.tally.keeps()
	c.best.log = math.Inf(-1)
	c.look(from.slope, from.lapse, from.theta)
	for top := math.Inf(-1); c.best.log > top; {
		top = c.best.log
		c.around(c.best)
	}
	// What is found here is looked around in its turn.
	for i := 0; i < len(c.near); i++ {
		if c.near[i].log > c.best.log-climbLogRange {
			c.around(c.near[i])
		}
	}
	return c.weighed()
}

// around looks at the neighbours of p.
func (c *hillClimb) around(p point) {
	c.look(p.slope-climbSlopes, p.lapse, p.theta)
	c.look(p.slope+climbSlopes, p.lapse, p.theta)
	c.look(p.slope, p.lapse-1, p.theta)
	c.look(p.slope, p.lapse+1, p.theta)
	c.look(p.slope, p.lapse, p.theta-1)
	c.look(p.slope, p.lapse, p.theta+1)
}

// look finds the weight of a point, once a round and if there is such a point.
func (c *hillClimb) look(slope, lapse, theta int) {
	g := c.grid
	if slope < 0 || lapse < 0 || theta < 0 || slope >= len(g.slopes) || lapse >= len(lapses) || theta >= g.thetas {
		return
	}
	seen := &c.seen[g.place(slope, lapse, theta)]
	if *seen == c.round {
		return
	}
	*seen = c.round
	r := slope*g.thetas + theta
	p := point{slope, lapse, theta, c.keeps[lapse] + c.base(c.tally, r) + c.missed(c.tally, r, lapse)}
	c.near = append(c.near, p)
	if p.log > c.best.log {
		c.best = p
	}
}

// weighed is the median of what was looked at.
func (c *hillClimb) weighed() float64 {
	g := c.grid
	clear(c.fit.cell)
	for _, p := range c.near {
		w := math.Exp(p.log - c.best.log)
		at := g.place(p.slope, p.lapse, p.theta)
		c.fit.weight[at] = w
		c.fit.cell[g.curves[at/g.thetas].first+p.theta] += w
	}
	c.fit.sum()
	median := c.fit.Draw(0.5)
	for _, p := range c.near {
		c.fit.weight[g.place(p.slope, p.lapse, p.theta)] = 0
	}
	return median
}
