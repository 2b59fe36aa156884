package signedrank

import (
	"math/rand/v2"

	"verbatim/internal/stats"
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
		return d, &stats.BadValue{Index: -1, Value: float64(d.Most), Why: "is too few draws for a standard error"}
	}
	if !(d.SE > 0) {
		return d, &stats.BadValue{Index: -1, Value: d.SE, Why: "is no standard error to reach"}
	}
	return d, nil
}

// rand returns the source of all draws for one result: a function of the seed alone,
// so that a result does not depend on which others were computed before it.
func (d Draws) rand() *rand.Rand { return rand.New(rand.NewPCG(d.Seed, 0)) }
