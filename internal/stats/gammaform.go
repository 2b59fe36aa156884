package stats

import (
	"math"
	"slices"
)

// A logIntegrand computes log(M(s)/s) of a gammaSum for one c and one side.
type logIntegrand struct {
	total    float64     // of the shapes
	quartics [][]quartic // quartics[b] holds the points of planes[b], four at a time
	halves   []float64   // the points of gammaSum.halves, as l = side·(z - c)
	rest     []mass      // the points of gammaSum.rest, as l
}

// A quartic is the product Π (1 - l s) over at most four points, as the polynomial 1 + c_0
// s + c_1 s² + …. This form needs half the multiplications.
type quartic [4]float64

// logarithm returns the real part of log(M(s)/s) at s = x + iy as size, and minus its
// imaginary part as turn.
func (f *logIntegrand) logarithm(x, y float64) (size, turn float64) {
	for _, m := range f.rest {
		u, v := m.at*x, m.at*y
		size += m.weight / 2 * math.Log1p(u*(u-2)+v*v)
		turn += m.weight * math.Atan2(-v, 1-u)
	}
	p := scaled{re: x, im: y}
	for _, l := range f.halves {
		u, v := root(1-l*x, -l*y)
		p.re, p.im = p.re*u-p.im*v, p.re*v+p.im*u
	}
	p = p.times(f.product(complex(x, y)))
	size += math.Log(p.re*p.re+p.im*p.im)/2 + float64(p.exp)*math.Ln2
	return -size, turn + math.Atan2(p.im, p.re)
}

// product returns Π (1 - l s) over the points, each raised to its shape rounded down. It
// uses Horner's rule on the bits of the shapes: square, then multiply by the points that
// have the next bit.
func (f *logIntegrand) product(s complex128) scaled {
	p := scaled{re: 1}
	for b := len(f.quartics) - 1; b >= 0; b-- {
		p = p.times(p).times(product(f.quartics[b], s))
	}
	return p
}

// product returns the product of the polynomials at s. Even and odd ones have a product
// each, because a multiplication must wait for the one before.
func product(quartics []quartic, s complex128) scaled {
	var (
		s2     = s * s
		s3     = s2 * s
		s4     = s2 * s2
		x1, y1 = real(s), imag(s)
		x2, y2 = real(s2), imag(s2)
		x3, y3 = real(s3), imag(s3)
		x4, y4 = real(s4), imag(s4)
		all    = scaled{re: 1}
	)
	for block := range slices.Chunk(quartics, 8) { // few enough not to overflow
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
		all = all.times(scaled{re: ar, im: ai}).times(scaled{re: br, im: bi})
	}
	return all
}

// A scaled number is (re + i·im)·2^exp, for products outside the range of a float64.
type scaled struct {
	re, im float64
	exp    int
}

// times returns the product. Its parts are kept within about 2^±400.
func (p scaled) times(q scaled) scaled {
	r := scaled{p.re*q.re - p.im*q.im, p.re*q.im + p.im*q.re, p.exp + q.exp}
	if size := max(math.Abs(r.re), math.Abs(r.im)); size > 0x1p200 || size < 0x1p-200 {
		_, e := math.Frexp(size)
		r = scaled{math.Ldexp(r.re, -e), math.Ldexp(r.im, -e), r.exp + e}
	}
	return r
}

// root returns the square root of x + iy with a positive real part. x + iy must not be
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
