package stats

import (
	"math"
	"math/rand/v2"
)

// A gammaSum is S(c) = Σ (z_k - c) G_k with independent gamma variables G_k of shapes a_k.
// With w ~ Dirichlet(a), Σ w_k z_k > c exactly if S(c) > 0, because w is G divided by its
// sum. So the distribution of a mean under Dirichlet weights is one integral, without
// sampling.
type gammaSum struct {
	mean           float64   // of the points, weighted by the shapes
	points, shapes []float64 // rising points
	total          float64   // of the shapes
}

// newGammaSum takes finite points in rising order, and shapes above 0.
func newGammaSum(points, shapes []float64) *gammaSum {
	g := &gammaSum{points: points, shapes: shapes}
	for _, a := range shapes {
		g.total += a
	}
	for k, z := range points {
		g.mean += shapes[k] / g.total * z
	}
	return g
}

// tail returns P(S > 0) for side 1 and P(S < 0) for side -1. c must lie strictly between
// the outermost points; it is fast if c is on that side of the mean. A tail that is
// certainly below least is returned as 0.
//
// Accuracy: the error is below 1e-10 and below a ten-millionth of the tail, mostly near
// 1e-14. Exceptions: c closer to an end than a billionth of the range, and shapes that add
// up to millions, where rounding of phases adds to the error.
//
// Method: the tail is the integral ∫ M(s)/s ds/2πi, with the moment generating function
// M(s) = Π (1 - side (z_k - c) s)^(-a_k), along a vertical line between 0 and the first
// singularity (Rice 1980, SIAM Journal on Scientific and Statistical Computing 1:438–448).
// Through the saddle point the integrand decays with little oscillation. The trapezoidal
// rule then needs few nodes and doubles its digits with every halving of the step
// (Trefethen and Weideman 2014, SIAM Review 56:385–458). The integral of Gil-Pelaez and
// Imhof is the same one along the imaginary axis; it needs more nodes the smaller the tail
// is.
func (g *gammaSum) tail(c, side, least float64) float64 {
	saddle, second, third := g.saddle(c, side)
	p := contour{logIntegrand: g.at(c, side), start: saddle, unit: 1 / math.Sqrt(second), rise: 1}
	p.top, _ = p.logIntegrand.logarithm(saddle, 0)
	if math.Exp(p.top)*saddle < least { // Chernoff's bound, M(saddle)
		return 0
	}
	if bend := third * p.unit / (3 * second); bend > 0 {
		p.lean = min((math.Sqrt(1+4*bend*bend)-1)/(2*bend), maxLean, g.safeLean(c, side))
		p.rise = math.Sqrt(1 - p.lean*p.lean)
	}
	return p.integral()
}

// maxLean is the sine of the largest angle at which a contour leaves the vertical.
//
// The third derivative at the saddle gives the direction of steepest descent. Turning
// right, away from the pole, saves most nodes if few points lie far out on the side of the
// tail. Turning left would cross the singularities of the other points, so it is never
// done.
const maxLean = 0.4

// safeLean returns the sine of the largest safe angle to the right. On a vertical line
// |M(s)| falls all the way. At an angle, the factors of the points on the side of the tail
// can shrink first, each at least to the cosine of the angle. With their shapes as powers
// they must not make M(s) grow by more than a factor of e. Otherwise the end of the
// contour could not be told from a dip.
func (g *gammaSum) safeLean(c, side float64) float64 {
	shapes := 0.0
	for k, z := range g.points {
		if side*(z-c) > 0 {
			shapes += g.shapes[k]
		}
	}
	return math.Sqrt(-math.Expm1(-2 / shapes))
}

// poleDistance keeps the contour away from the pole at 0, in units of the first derivative
// of log s. The saddle of M(s)/s itself is 1; there the nodes would have to be twice as
// dense.
const poleDistance = 4

// outermost returns the outermost point on a side.
func (g *gammaSum) outermost(side float64) float64 {
	if side < 0 {
		return g.points[0]
	}
	return g.points[len(g.points)-1]
}

// saddle returns a point between 0 and the first singularity close to the minimum of log
// M(s) - poleDistance·log s, with the second and third derivatives there.
func (g *gammaSum) saddle(c, side float64) (s, second, third float64) {
	first, end := 0.0, side/(g.outermost(side)-c)
	for k, z := range g.points {
		l := side * (z - c)
		first += g.shapes[k] * l
		second += g.shapes[k] * l * l
	}
	// The solution if S were normal.
	s = min((math.Sqrt(first*first+4*poleDistance*second)-first)/(2*second), end*0.9)
	for range 60 {
		first, second, third = -poleDistance/s, poleDistance/(s*s), -2*poleDistance/(s*s*s)
		for k, z := range g.points {
			l := side * (z - c)
			r := l / (1 - l*s)
			ar := g.shapes[k] * r
			first += ar
			second += ar * r
			third += 2 * ar * r * r
		}
		if first*first <= 0.1*second {
			break // close enough: the contour need not cross the exact point
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

// at returns the integrand for c and a side.
func (g *gammaSum) at(c, side float64) logIntegrand {
	f := logIntegrand{total: g.total, points: make([]mass, len(g.points))}
	for k, z := range g.points {
		f.points[k] = mass{side * (z - c), g.shapes[k]}
	}
	return f
}

// A logIntegrand computes log(M(s)/s) of a gammaSum for one c and one side.
type logIntegrand struct {
	total  float64 // of the shapes
	points []mass  // the points as l = side·(z - c), with their shapes
}

// logarithm returns the real part of log(M(s)/s) = -log(s Π (1 - l s)^a) at s = x + iy as size, and minus
// its imaginary part as turn.
func (f *logIntegrand) logarithm(x, y float64) (size, turn float64) {
	re, im, exp := x, y, 0                              // the product so far is (re + i·im)·2^exp
	far := math.Abs(x) > 0x1p50 || math.Abs(y) > 0x1p50 // four factors might leave the range of a float64
	for i, p := range f.points {
		if most := max(math.Abs(re), math.Abs(im)); i%4 == 0 && (most > 0x1p200 || most < 0x1p-200) {
			_, e := math.Frexp(most)
			re, im, exp = math.Ldexp(re, -e), math.Ldexp(im, -e), exp+e
		}
		u, v := p.at*x, p.at*y
		if p.weight == 1 && !far { // faster than a logarithm
			re, im = re*(1-u)+im*v, im*(1-u)-re*v
			continue
		}
		size += p.weight / 2 * math.Log1p(u*(u-2)+v*v)
		turn += p.weight * math.Atan2(-v, 1-u)
	}
	size += math.Log(re*re+im*im)/2 + float64(exp)*math.Ln2
	return -size, turn + math.Atan2(im, re)
}

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

// DrawGamma draws from the gamma distribution with scale 1. The shape must be a whole
// number or half of an odd one, at least 1/2.
//
// Shapes up to 8 use a sum of exponentials and half a squared normal, which is exact and
// fast. Larger shapes use rejection.
func DrawGamma(r *rand.Rand, shape float64) float64 {
	if shape == 1 {
		return r.ExpFloat64()
	}
	if shape > 8 {
		return gammaByRejection(r, shape)
	}
	whole := int(shape)
	sum := 0.0
	if shape > float64(whole) {
		z := r.NormFloat64()
		sum = z * z / 2
	}
	for range whole {
		sum += r.ExpFloat64()
	}
	return sum
}

// gammaByRejection draws from the gamma distribution with scale 1 and a shape of at least
// 1 (Marsaglia and Tsang 2000, ACM Transactions on Mathematical Software 26:363–372).
func gammaByRejection(r *rand.Rand, shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - r.Float64() // never 0
		if x2 := x * x; u < 1-0.0331*x2*x2 || math.Log(u) < x2/2+d*(1-v+math.Log(v)) {
			return d * v
		}
	}
}
