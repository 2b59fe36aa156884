package signedrank

import (
	"math/rand/v2"

	"verbatim/internal/stats"
)

// Draws are the settings of a sampled posterior. The zero value means seed 1, at most
// 50,000 draws, and a standard error of 0.001 for every probability.
type Draws struct {
	Seed uint64  // equal seeds give equal results on every machine, apart from rounding; 0 is 1
	Max  int     // maximum number of draws, at least 100; 0 is 50,000
	SE   float64 // standard error to reach; 0 is 0.001
}

// drawBatch is the number of draws between two checks of the standard error.
const drawBatch = 1000

// withDefaults returns d with its defaults, or rejects it.
func (d Draws) withDefaults() (Draws, error) {
	if d.Seed == 0 {
		d.Seed = 1
	}
	if d.Max == 0 {
		d.Max = 50_000
	}
	if d.SE == 0 {
		d.SE = 0.001
	}
	if d.Max < 100 {
		return d, &stats.BadValue{Index: -1, Value: float64(d.Max), Why: "draws are too few for a standard error: at least 100"}
	}
	if !(d.SE > 0) {
		return d, &stats.BadValue{Index: -1, Value: d.SE, Why: "is not a standard error above 0"}
	}
	return d, nil
}

// rand returns the random numbers of one result. They depend on the seed only, so that a
// result does not depend on earlier ones.
func (d Draws) rand() *rand.Rand { return rand.New(rand.NewPCG(d.Seed, 0)) }
