package stats

import (
	"math"
	"math/rand/v2"
)

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
