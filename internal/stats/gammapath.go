package stats

import "math"

// A path is the line start + unit·(lean (cosh u - 1) + i·rise sinh u) in the plane
// of s, a hyperbola that leaves the real axis upwards: its lower half mirrors the
// upper one. sinh reaches the slow decay of few gamma variables in few steps.
type path struct {
	form
	start, unit float64
	lean, rise  float64 // sine and cosine of the angle at which it leaves the vertical
	top         float64 // logarithm of the integrand at start
}

const (
	absolute = 1e-12 // change of the tail by the last halving
	relative = 1e-7  // the same as a share of the tail
	halvings = 14    // at most, from a step of 1
	nothing  = 1e-16 // of the largest value: the rest is rounding
	farthest = 300   // where squares of e^u near overflow
)

// integral returns the tail.
func (p *path) integral() float64 {
	first, _ := p.node(0)
	sum, step := first/2, 1.0
	sum += p.pass(step, step)
	unit := math.Exp(p.top) / math.Pi
	for range halvings {
		before := sum * step
		sum += p.pass(step/2, step)
		step /= 2
		// A halving about squares the error, so that the change made is a bound far
		// off; but a change can be small by chance.
		change := math.Abs(sum*step - before)
		if change <= relative*math.Abs(sum*step) && change*unit <= absolute {
			break
		}
	}
	return sum * step * unit
}

// pass adds up the nodes from first on, step apart, until they no longer count.
func (p *path) pass(first, step float64) (sum float64) {
	// A decay as slow as e^(-total u) leaves 1/total times the last.
	least := nothing * p.unit * min(1, p.total)
	for u := first; ; u += step {
		v, size := p.node(u)
		sum += v
		if size < least {
			return sum
		}
		if u > farthest {
			decay := math.Exp(-p.total * step) // from here on all is geometric
			return sum + v*decay/(1-decay)
		}
	}
}

// node returns the real part and the modulus of the integrand in u, relative to the
// integrand in s at the start.
func (p *path) node(u float64) (v, size float64) {
	e := math.Exp(u)
	sinh, cosh := (e-1/e)/2, (e+1/e)/2
	log, turn := p.logarithm(p.start+p.unit*p.lean*(cosh-1), p.unit*p.rise*sinh)
	size = math.Exp(log - p.top)
	sin, cos := math.Sincos(turn)
	x, y := p.rise*cosh, p.lean*sinh // of the path's derivative, turned by -i: x - iy
	return size * p.unit * (cos*x - sin*y), size * p.unit * math.Hypot(x, y)
}
