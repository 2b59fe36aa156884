package stats

import (
	"math"
	"math/bits"
)

// A gammaSum is S(c) = Σ (z_k - c) G_k with independent gamma variables G_k of the
// shapes a_k. With w ~ Dirichlet(a), Σ w_k z_k > c exactly where S(c) > 0, since w
// is G divided by its sum: the distribution of a mean under random weights is a
// linear form in gamma variables, and its tail is one integral, with no draws.
type gammaSum struct {
	mean           float64   // of the points, weighted by their shapes
	points, shapes []float64 // rising points
	total          float64   // of the shapes

	planes [][]float64 // planes[b]: the points whose shape, rounded down, has bit b
	halves []float64   // the points whose shape is half an integer
	rest   []mass      // the points of other shapes, which are in neither
}

// mostFactors is the shape from which on a logarithm is quicker than multiplying.
const mostFactors = 1 << 12

// newGammaSum takes finite points, rising, and shapes above 0.
func newGammaSum(points, shapes []float64) *gammaSum {
	g := &gammaSum{points: points, shapes: shapes}
	for _, a := range shapes {
		g.total += a
	}
	for k, z := range points {
		a := shapes[k]
		g.mean += a / g.total * z
		whole := math.Floor(a)
		if a != whole && a != whole+0.5 || a >= mostFactors {
			g.rest = append(g.rest, mass{z, a})
			continue
		}
		if a != whole {
			g.halves = append(g.halves, z)
		}
		for left := uint(whole); left != 0; left &= left - 1 {
			b := bits.TrailingZeros(left)
			for len(g.planes) <= b {
				g.planes = append(g.planes, nil)
			}
			g.planes[b] = append(g.planes[b], z)
		}
	}
	return g
}

// tail returns P(S > 0) for a side of 1 and P(S < 0) for one of -1, where c lies
// strictly between the outermost points and, to be quick, on that side of the mean.
// The error is below 1e-10 and below a ten-millionth of the tail, and mostly near
// 1e-14, unless c is nearer to an end than a billionth of the range; for shapes of more than some millions in all, the rounding of their phases
// adds to it. A tail that is certainly below least is returned as 0, at the price of
// a bound.
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
	saddle, second, third := g.saddle(c, side)
	p := path{form: g.at(c, side), start: saddle, unit: 1 / math.Sqrt(second), rise: 1}
	p.top, _ = p.form.logarithm(saddle, 0)
	if math.Exp(p.top)*saddle < least { // Chernoff's bound, M(saddle)
		return 0
	}
	if bend := third * p.unit / (3 * second); bend > 0 {
		p.lean = min((math.Sqrt(1+4*bend*bend)-1)/(2*bend), mostLean, g.safeLean(c, side))
		p.rise = math.Sqrt(1 - p.lean*p.lean)
	}
	return p.integral()
}

// mostLean is the sine of the largest angle at which a path leaves the vertical.
//
// The third derivative at the saddle says which way the steepest descent turns.
// Turning right, away from the pole, saves most of the nodes where few points lie
// far out on the tail's side and the many others agree. To the left it would run
// into the singularities of the others, and is never taken.
const mostLean = 0.4

// safeLean returns the sine of the angle at which a path may lean to the right.
// Straight up |M(s)| falls all the way. At an angle the factors of the points on
// the tail's side can shrink first, each to the cosine of the angle at least, which
// is the distance of its singularity from the path: with their shapes as powers
// they must not make M(s) grow by more than a factor of e on the way, or else the
// end of the path could not be told from a dip.
func (g *gammaSum) safeLean(c, side float64) float64 {
	shapes := 0.0
	for k, z := range g.points {
		if side*(z-c) > 0 {
			shapes += g.shapes[k]
		}
	}
	return math.Sqrt(-math.Expm1(-2 / shapes))
}

// away is what keeps the path off the pole at 0, in units of the first derivative
// of log s: through the saddle of M(s)/s itself, which is 1, the nodes would have to
// be half as far apart.
const away = 4

// outermost returns the last point on a side.
func (g *gammaSum) outermost(side float64) float64 {
	if side < 0 {
		return g.points[0]
	}
	return g.points[len(g.points)-1]
}

// saddle returns a point between 0 and the first singularity near where
// log M(s) - away·log s is least, with the second and third derivatives there.
func (g *gammaSum) saddle(c, side float64) (s, second, third float64) {
	first, end := 0.0, side/(g.outermost(side)-c)
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
