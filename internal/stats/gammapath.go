package stats

import "math"

// A contour is the line start + unit·(lean (cosh u - 1) + i·rise sinh u) in the plane of
// s: a hyperbola that leaves the real axis upwards. Its lower half mirrors the upper one.
// sinh follows the slow decay of a few gamma variables in few steps.
type contour struct {
	logIntegrand
	start, unit float64
	lean, rise  float64 // sine and cosine of the angle at which it leaves the vertical
	top         float64 // logarithm of the integrand at start
}

const (
	absoluteTolerance = 1e-12 // largest change of the tail by the last halving
	relativeTolerance = 1e-7  // the same, relative to the tail
	maxHalvings       = 14    // of the step, starting from 1
	negligible        = 1e-16 // relative to the largest value
	maxU              = 300   // where squares of e^u are close to overflow
)

// integral returns the tail probability.
func (p *contour) integral() float64 {
	first, _ := p.node(0)
	sum, step := first/2, 1.0
	sum += p.sumNodes(step, step)
	unit := math.Exp(p.top) / math.Pi
	for range maxHalvings {
		before := sum * step
		sum += p.sumNodes(step/2, step)
		step /= 2
		// Each halving about squares the error, so the change is a generous bound.
		// Both criteria must hold, because one change can be small by chance.
		change := math.Abs(sum*step - before)
		if change <= relativeTolerance*math.Abs(sum*step) && change*unit <= absoluteTolerance {
			break
		}
	}
	return sum * step * unit
}

// sumNodes adds up the nodes from first on, step apart, until they are negligible.
func (p *contour) sumNodes(first, step float64) (sum float64) {
	// A decay as slow as e^(-total u) leaves 1/total times the last.
	least := negligible * p.unit * min(1, p.total)
	for u := first; ; u += step {
		v, size := p.node(u)
		sum += v
		if size < least {
			return sum
		}
		if u > maxU {
			decay := math.Exp(-p.total * step) // the rest is a geometric series
			return sum + v*decay/(1-decay)
		}
	}
}

// node returns the real part and the modulus of the integrand in u, relative to the
// integrand in s at the start.
func (p *contour) node(u float64) (v, size float64) {
	e := math.Exp(u)
	sinh, cosh := (e-1/e)/2, (e+1/e)/2
	log, turn := p.logarithm(p.start+p.unit*p.lean*(cosh-1), p.unit*p.rise*sinh)
	size = math.Exp(log - p.top)
	sin, cos := math.Sincos(turn)
	x, y := p.rise*cosh, p.lean*sinh // of the path's derivative, turned by -i: x - iy
	return size * p.unit * (cos*x - sin*y), size * p.unit * math.Hypot(x, y)
}
