package stats

import "math"

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
