package stats

import (
	"math"
	"math/bits"
	"slices"
)

// A gammaSum is S(c) = Σ (z_k - c) G_k with independent gamma variables G_k of the
// shapes a_k. With w ~ Dirichlet(a), Σ w_k z_k > c exactly where S(c) > 0, since w
// is G divided by its sum: the distribution of a mean under random weights is a
// linear form in gamma variables, and its tail is one integral, with no draws.
type gammaSum struct {
	mean           float64   // of the points, weighted by their shapes
	points, shapes []float64 // points less their mean, rising
	total          float64   // of the shapes

	fours    [][]four  // fours[b]: the points whose shape, as an integer, has bit b
	integers float64   // sum of the integers that are there
	halves   []float64 // the points whose shape is half an integer, once more
	rest     []mass    // the points of other shapes
}

// A four is Π (1 - z s) of four points as the polynomial 1 + c_0 s + c_1 s² + …,
// which takes half the multiplications.
type four [4]float64

// mostFactors is the shape from which on a logarithm is quicker than multiplying.
const mostFactors = 1 << 12

// newGammaSum takes finite points, rising, and shapes above 0.
func newGammaSum(points, shapes []float64) *gammaSum {
	g := &gammaSum{points: make([]float64, len(points)), shapes: shapes}
	for _, a := range shapes {
		g.total += a
	}
	for k, z := range points {
		g.mean += shapes[k] / g.total * z
	}
	var planes [][]float64
	for k, a := range shapes {
		z := points[k] - g.mean
		g.points[k] = z
		if 2*a != math.Trunc(2*a) || a >= mostFactors {
			g.rest = append(g.rest, mass{z, a})
			continue
		}
		if a != math.Trunc(a) {
			g.halves = append(g.halves, z)
		}
		g.integers += math.Trunc(a)
		for left := uint(a); left != 0; left &= left - 1 {
			b := bits.TrailingZeros(left)
			for len(planes) <= b {
				planes = append(planes, nil)
			}
			planes[b] = append(planes[b], z)
		}
	}
	for _, plane := range planes {
		fours := make([]four, 0, (len(plane)+3)/4)
		for group := range slices.Chunk(plane, 4) {
			var f four
			for n, z := range group {
				for i := n; i > 0; i-- {
					f[i] -= z * f[i-1]
				}
				f[0] -= z
			}
			fours = append(fours, f)
		}
		g.fours = append(g.fours, fours)
	}
	return g
}

// tail returns P(S > 0) for a side of 1 and P(S < 0) for one of -1, where c lies
// strictly between the outermost points and on that side of the mean, with a relative error near 1e-12 for up to
// some thousand gamma variables' worth of shapes (it grows with their sum). A tail
// that is certainly below least is returned as 0, at the price of a bound.
//
// It is the integral ∫ M(s)/s ds/2πi with the moment generating function
// M(s) = Π (1 - side (z_k - c) s)^(-a_k), from bottom to top through a point between
// 0 and the first singularity (Rice 1980, SIAM Journal on Scientific and Statistical
// Computing 1:438–448). Taken through the saddle, all of it is decay and little is
// oscillation, so that the trapezoidal rule needs few nodes and doubles its digits
// with every halving of the step (Trefethen and Weideman 2014, SIAM Review
// 56:385–458). Gil-Pelaez' and Imhof's integral is the same one along the imaginary
// axis, with as many nodes more as the tail is small.
func (g *gammaSum) tail(c, side, least float64) float64 {
	c -= g.mean
	saddle, second, third := g.saddle(c, side)
	top, _ := g.integrand(c, side, saddle, 0)
	if math.Exp(top)*saddle < least { // Chernoff's bound, M(saddle)
		return 0
	}
	// The third derivative says which way the steepest descent turns. Turning away
	// from a near singularity on the right saves most of the nodes where a few
	// outlying points stand beside many that agree; turning left would walk into
	// the bulk of the others. A path along which the integrand grows after all is
	// given up for the straight one, where it cannot.
	p := path{g: g, c: c, side: side, start: saddle, unit: 1 / math.Sqrt(second), top: top, rise: 1}
	if bend := third * p.unit / (3 * second); bend > 0 {
		p.lean = min((math.Sqrt(1+4*bend*bend)-1)/(2*bend), mostLean)
		p.rise = math.Sqrt(1 - p.lean*p.lean)
		if v, ok := p.integral(); ok {
			return v
		}
	}
	p.lean, p.rise = 0, 1
	v, _ := p.integral()
	return v
}

// mostLean is the sine of the largest angle at which a path leaves the vertical.
const mostLean = 0.4

// away is what keeps the path off the pole at 0, in units of the first derivative
// of log s: through the saddle of M(s)/s itself, which is 1, the nodes would have to
// be half as far apart.
const away = 4

// saddle returns a point between 0 and the first singularity near where
// log M(s) - away·log s is least, with the second and third derivatives there.
func (g *gammaSum) saddle(c, side float64) (s, second, third float64) {
	first, end := 0.0, side*(g.points[len(g.points)-1]-c)
	if side < 0 {
		end = side * (g.points[0] - c)
	}
	end = 1 / end
	for k, z := range g.points {
		l := side * (z - c)
		first += g.shapes[k] * l
		second += g.shapes[k] * l * l
	}
	// If S were normal, this would be it.
	s = min((math.Sqrt(first*first+4*away*second)-first)/(2*second), end*0.9)
	for range 60 {
		first, second, third = -away/s, away/(s*s), -2*away/(s*s*s)
		for k, z := range g.points {
			l := side * (z - c)
			r := l / (1 - l*s)
			ar := g.shapes[k] * r
			first += ar
			second += ar * r
			third += 2 * ar * r * r
		}
		if first*first <= 0.1*second {
			break // the path need not run through the very point
		}
		next := s - first/second
		switch {
		case next <= 0:
			next = s / 2
		case next >= end:
			next = s + (end-s)/2
		}
		s = next
	}
	return s, second, third
}

// integrand returns the logarithm and the negative phase of M(s)/s at s = x + iy.
func (g *gammaSum) integrand(c, side, x, y float64) (size, turn float64) {
	p := scaled{re: x, im: y}
	x, y = side*x, side*y
	for _, z := range g.halves {
		re, im := root(1-(z-c)*x, (c-z)*y)
		p.re, p.im = p.re*re-p.im*im, p.re*im+p.im*re
	}
	if len(g.fours) > 0 {
		// 1 - (z - c)s = (1 + cs)(1 - zt) with t = s/(1 + cs): what hangs on c
		// leaves the product, and 1 + cs stays away from 0, since c lies on the
		// tail's side of the mean, which is 0.
		power(g.integers, c*x, c*y, &size, &turn)
		p = p.times(g.product(complex(x, y) / complex(1+c*x, c*y)))
	}
	for _, m := range g.rest {
		power(m.weight, (c-m.at)*x, (c-m.at)*y, &size, &turn)
	}
	size += math.Log(p.re*p.re+p.im*p.im)/2 + float64(p.exp)*math.Ln2
	return -size, turn + math.Atan2(p.im, p.re)
}

// power adds the logarithm and the phase of (1 + x + iy)^a.
func power(a, x, y float64, size, turn *float64) {
	*size += a / 2 * math.Log1p(x*(x+2)+y*y)
	*turn += a * math.Atan2(y, 1+x)
}

// root returns the square root with a real part above 0 of x + iy, which is not
// real and negative.
func root(x, y float64) (re, im float64) {
	r := math.Sqrt(x*x + y*y)
	if x >= 0 {
		re = math.Sqrt((r + x) / 2)
		return re, y / (2 * re)
	}
	im = math.Copysign(math.Sqrt((r-x)/2), y)
	return y / (2 * im), im
}
