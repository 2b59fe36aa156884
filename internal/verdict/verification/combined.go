package verification

import "verbatim/internal/stats"

// Combine adjusts the p values of all tests of a command together, by Holm's method with
// weights: each test has an equal part of alpha, and each of its probes an equal part of that.
// A probe that was rejected in its own test is rejected here too. One that was not may be now, and
// then the word of its test becomes Differ. A test without a verdict counts as one that has found
// nothing, and keeps its word. Every p value holds whenever its probe has stopped, so this is no
// additional look at the data.
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
				r.Probes[i].fixRounding(r.Level, r.Alpha)
			}
			if r.Word == NoDifference && r.Probes[i].Adjusted <= r.Alpha {
				r.Word = Differ
			}
		}
	}
}
