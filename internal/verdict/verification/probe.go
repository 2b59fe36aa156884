package verification

import "verbatim/internal/stats"

// A Probe is one of the tests that a verdict is made of. The verdict is Differ if the
// smallest Adjusted is at most alpha.
type Probe struct {
	Name ProbeName `json:"name"`
	// Upstreams are the upstreams of the two sides, if several were compared; nil: one each.
	Upstreams *[2]string `json:"upstreams,omitempty"`
	// P is the p value; 1 for a probe that was not needed for the verdict. That of the
	// texts is min(1, 1/E), where E is the highest value of the e-process. It holds at any
	// number of looks. That of the exact answers is McNemar's exact test, two-sided.
	P        float64 `json:"p"`
	Adjusted float64 `json:"p_adjusted"` // for all probes of all tests of a command, by Holm's method

	parts int // of the level of the probe; 0 is 1
}

// A ProbeName is the name of a probe. The set is closed.
type ProbeName string

// The probes.
const (
	Texts ProbeName = "texts"
	Exact ProbeName = "exact"
	// Logprobs is a probe if both endpoints offer log probabilities.
	Logprobs ProbeName = "logprobs"
	// Sampling is a probe unless the caller leaves it out.
	Sampling ProbeName = "sampling"
)

// share adjusts the p values of one test of several, of which the others are not known: as if
// they had found nothing.
func share(list []Probe, tests int) {
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

// round keeps the rounding of a product from changing the side of alpha on which a p value is.
func (p *Probe) round(level, alpha float64) {
	if p.P <= level/float64(max(1, p.parts)) {
		p.Adjusted = min(p.Adjusted, alpha)
	}
}

// weight is the part of the level of a test that a probe has. The upstreams of a probe share it.
func (p *Probe) weight(list []Probe) float64 {
	probes := map[ProbeName]bool{}
	for _, one := range list {
		probes[one.Name] = true
	}
	return 1 / float64(len(probes)*max(1, p.parts))
}

// power is the power at which Detectable is stated.
const power = 0.8
