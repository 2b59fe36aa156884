package stats

import (
	"math"
	"slices"
)

// A path is the line start + unit·(lean (cosh u - 1) + i·rise sinh u) in the plane
// of s, a hyperbola that leaves the real axis upwards: its lower half mirrors the
// upper one. sinh reaches the slow decay of few gamma variables in few steps.
type path struct {
	g           *gammaSum
	c, side     float64
	start, unit float64
	lean, rise  float64 // sine and cosine of the angle at which it leaves the vertical
	top         float64 // logarithm of the integrand at start
}

const (
	settled   = 1e-7  // relative change by the last halving: the next one would leave its square
	halvings  = 14    // at most, from a step of 1
	nothing   = 1e-16 // of the largest value: the rest is rounding
	farthest  = 600   // where sinh nears overflow
	mostGrown = 2     // how far the integrand may grow along a path that decays
)

// integral returns the tail, and ok false where the integrand grew on the way.
func (p *path) integral() (v float64, ok bool) {
	sum, _ := p.node(0)
	sum /= 2
	step := 1.0
	more, ok := p.pass(step, step)
	sum += more
	for i := 0; ok && i < halvings; i++ {
		before := sum * step
		more, ok = p.pass(step/2, step)
		sum += more
		step /= 2
		if math.Abs(sum*step-before) <= settled*math.Abs(sum*step) {
			break
		}
	}
	return sum * step / math.Pi * math.Exp(p.top), ok
}

// pass adds up the nodes from first on, step apart, until they no longer count.
func (p *path) pass(first, step float64) (sum float64, ok bool) {
	largest := p.unit * p.rise
	limit := largest * mostGrown
	least := nothing * min(1, p.g.total) // a decay as slow as e^(-total u) leaves 1/total times the last
	for u := first; ; u += step {
		v, size := p.node(u)
		sum += v
		switch {
		case p.lean > 0 && size > limit:
			return sum, false
		case size < least*largest:
			return sum, true
		case u > farthest:
			decay := math.Exp(-p.g.total * step) // from here on all is geometric
			return sum + v*decay/(1-decay), true
		}
	}
}

// node returns the real part and the modulus of the integrand in u, relative to the
// integrand in s at the start.
func (p *path) node(u float64) (v, size float64) {
	e := math.Exp(u)
	sinh, cosh := (e-1/e)/2, (e+1/e)/2
	log, turn := p.g.integrand(p.c, p.side, p.start+p.unit*p.lean*(cosh-1), p.unit*p.rise*sinh)
	size = math.Exp(log - p.top)
	sin, cos := math.Sincos(turn)
	x, y := p.rise*cosh, p.lean*sinh // of the path's derivative, turned by -i: x - iy
	return size * p.unit * (cos*x - sin*y), size * p.unit * math.Hypot(x, y)
}

// A scaled is the complex number (re + i·im)·2^exp, for products that would leave
// the range of a float64.
type scaled struct {
	re, im float64
	exp    int
}

// times returns the product, its parts kept within 2^±400 or so.
func (p scaled) times(q scaled) scaled {
	r := scaled{p.re*q.re - p.im*q.im, p.re*q.im + p.im*q.re, p.exp + q.exp}
	if size := max(math.Abs(r.re), math.Abs(r.im)); size > 0x1p200 || size < 0x1p-200 {
		_, e := math.Frexp(size)
		r = scaled{math.Ldexp(r.re, -e), math.Ldexp(r.im, -e), r.exp + e}
	}
	return r
}

// product returns Π (1 - z t) over the points of integer shapes, to their power, by
// Horner's rule in the bits of the shapes: square, then multiply by the points that
// have the next bit.
func (g *gammaSum) product(t complex128) scaled {
	p := scaled{re: 1}
	for b := len(g.fours) - 1; b >= 0; b-- {
		if b < len(g.fours)-1 {
			p = p.times(p)
		}
		p = p.times(product(g.fours[b], t))
	}
	return p
}

// product returns the product of the polynomials at t. Two products run side by
// side, since each must wait for its last step.
func product(fours []four, t complex128) scaled {
	var (
		t2     = t * t
		t3     = t2 * t
		t4     = t2 * t2
		x1, y1 = real(t), imag(t)
		x2, y2 = real(t2), imag(t2)
		x3, y3 = real(t3), imag(t3)
		x4, y4 = real(t4), imag(t4)
		all    = scaled{re: 1}
	)
	for block := range slices.Chunk(fours, 8) { // few enough not to overflow
		ar, ai, br, bi := 1.0, 0.0, 1.0, 0.0
		for ; len(block) >= 2; block = block[2:] {
			f, g := &block[0], &block[1]
			u := 1 + f[0]*x1 + f[1]*x2 + (f[2]*x3 + f[3]*x4)
			v := f[0]*y1 + f[1]*y2 + (f[2]*y3 + f[3]*y4)
			ar, ai = ar*u-ai*v, ar*v+ai*u
			u = 1 + g[0]*x1 + g[1]*x2 + (g[2]*x3 + g[3]*x4)
			v = g[0]*y1 + g[1]*y2 + (g[2]*y3 + g[3]*y4)
			br, bi = br*u-bi*v, br*v+bi*u
		}
		for _, f := range block {
			u := 1 + f[0]*x1 + f[1]*x2 + (f[2]*x3 + f[3]*x4)
			v := f[0]*y1 + f[1]*y2 + (f[2]*y3 + f[3]*y4)
			ar, ai = ar*u-ai*v, ar*v+ai*u
		}
		all = all.times(scaled{re: ar*br - ai*bi, im: ar*bi + ai*br})
	}
	return all
}
