package verification

import "verbatim/internal/stats"

// A Probe is one of the tests that a verdict is made of. The verdict is Differ if the
// smallest Adjusted is at most alpha.
type Probe struct {
	Name ProbeName `json:"name"`
	// Upstreams are the upstreams of the two sides, if several were compared; nil: one each.
	Upstreams *[2]string `json:"upstreams,omitempty"`
	// P is the p value; 1 for a probe that was not needed for the verdict. The p value of the
	// texts is min(1, 1/E), where E is the highest value of the e-process, and holds at any
	// number of looks. That of the exact answers is from McNemar's exact test, two-sided.
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_adjusted"` // for all probes of all tests of a command, by Holm's method

	parts int // number of strata that share the level of the probe; 0 is 1
}

// A ProbeName is the name of a probe. The set is closed.
type ProbeName string

// The probes.
const (
	Texts ProbeName = "texts"
	Exact ProbeName = "exact"
	// Logprobs is a probe if both endpoints offer log probabilities.
	Logprobs ProbeName = "logprobs"
)

// adjust sets the Adjusted of the probes of one test among several. The other tests are not known
// here, and count as if they had found nothing.
func adjust(list []Probe, tests int) {
	var p, weights []float64
	if tests > 1 {
		p, weights = []float64{1}, []float64{float64(tests - 1)}
	}
	for _, one := range list {
		p, weights = append(p, one.P), append(weights, one.weight(list))
	}
	adjusted := stats.WeightedHolm(p, weights)
	for i := range list {
		list[i].Adjusted = adjusted[len(adjusted)-len(list)+i]
	}
}

// fixRounding makes Adjusted at most alpha if the p value is at most its level: rounded products may
// lie on the other side of alpha.
func (p *Probe) fixRounding(level, alpha float64) {
	if p.P <= level/float64(max(1, p.parts)) {
		p.Adjusted = min(p.Adjusted, alpha)
	}
}

// weight is the part of the level of a test that belongs to a probe. Its strata share that part.
func (p *Probe) weight(list []Probe) float64 {
	probes := map[ProbeName]bool{}
	for _, one := range list {
		probes[one.Name] = true
	}
	return 1 / float64(len(probes)*max(1, p.parts))
}

// power is the power of all statements on what a test can detect.
const power = 0.8
