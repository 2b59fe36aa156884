package stats

import (
	"math"
	"math/rand/v2"
)

// Draws says how much a posterior that has to be sampled may cost. The zero value
// asks for seed 1, at most 50,000 draws and an end to them once the standard error
// of every probability is below 0.001.
type Draws struct {
	Seed uint64  // equal seeds give equal results on every machine, rounding apart; 0 is 1
	Most int     // draws, at least 100; 0 is 50,000
	SE   float64 // 0 is 0.001
}

// drawBatch is how many draws are made between two looks at the standard error.
const drawBatch = 1000

// settled returns d with its defaults in place, or refuses it.
func (d Draws) settled() (Draws, error) {
	if d.Seed == 0 {
		d.Seed = 1
	}
	if d.Most == 0 {
		d.Most = 50_000
	}
	if d.SE == 0 {
		d.SE = 0.001
	}
	if d.Most < 100 {
		return d, &BadValue{-1, float64(d.Most), "is too few draws for a standard error"}
	}
	if !(d.SE > 0) {
		return d, &BadValue{-1, d.SE, "is no standard error to reach"}
	}
	return d, nil
}

// rand returns the source of all draws for one result: a function of the seed alone,
// so that a result does not depend on which others were computed before it.
func (d Draws) rand() *rand.Rand { return rand.New(rand.NewPCG(d.Seed, 0)) }

// gamma draws from the gamma distribution with scale 1 and a shape that is a whole
// number or half of an odd one, at least 1/2.
//
// A sum of exponentials and half a squared normal is exact, and the faster way for
// the small shapes that nearly all differences have; beyond that see Marsaglia and
// Tsang 2000, ACM Transactions on Mathematical Software 26:363–372.
func gamma(r *rand.Rand, shape float64) float64 {
	if shape == 1 {
		return r.ExpFloat64()
	}
	if shape > 8 {
		return gammaRejected(r, shape)
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

// gammaRejected draws from the gamma distribution with scale 1 and a shape of at
// least 1.
func gammaRejected(r *rand.Rand, shape float64) float64 {
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
