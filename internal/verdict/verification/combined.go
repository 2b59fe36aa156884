package verification

import "verbatim/internal/stats"

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

// Combine adjusts the p values of all tests of a command together, by Holm's method with
// weights: each test has an equal part of alpha, and each of its probes an equal part of that.
// So whatever made a test stop is rejected here too, and what was not rejected at its own level
// may be now. A test without a verdict counts as one that has found nothing, and keeps its word.
// All p values hold whenever their probe has stopped, so that this is no further look.
func Combine(results []*Result) {
	if len(results) < 2 {
		return
	}
	var p, weights []float64
	for _, r := range results {
		for _, probe := range r.Probes {
			one := probe.P
			if !r.Word.Settled() {
				one = 1
			}
			p, weights = append(p, one), append(weights, probe.weight(r.Probes))
		}
	}
	adjusted := stats.WeightedHolm(p, weights)
	for _, r := range results {
		for i := range r.Probes {
			r.Probes[i].Adjusted, adjusted = adjusted[0], adjusted[1:]
			if r.Word.Settled() {
				r.Probes[i].round(r.Level, r.Alpha)
			}
			if r.Word == NoDifference && r.Probes[i].Adjusted <= r.Alpha {
				r.Word = Differ
			}
		}
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
