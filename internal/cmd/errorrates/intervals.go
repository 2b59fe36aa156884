package main

import (
	"math"

	"verbatim/internal/stats"
	"verbatim/internal/stats/distribution"
)

// confidence is the confidence of all intervals.
const confidence = .95

// covers reports whether the equal-tailed interval of p, extended to the observed mean, holds the
// truth. It computes one tail, and stats.Posterior.Interval some eighty.
func covers(p *stats.Posterior, observed, truth float64) bool {
	const tail = (1 - confidence) / 2
	switch above := p.Above(truth); {
	case above < tail:
		return truth <= observed
	case above > 1-tail:
		return truth >= observed
	}
	return true
}

// anchored returns the anchored posterior of differences of one cell.
func anchored(x []float64) *stats.Posterior {
	var s stats.Strata
	for _, d := range x {
		must(s.Add(0, d))
	}
	return mustValue(s.Posterior())
}

// bootstrap returns the posterior of the Bayesian bootstrap (Rubin 1981), which has no anchors.
func bootstrap(x []float64) *stats.Posterior {
	a := make([]float64, len(x))
	for i := range a {
		a[i] = 1
	}
	return mustValue(stats.NewPosterior(x, a))
}

// A tInterval is the usual interval by the central limit theorem.
type tInterval struct {
	mean, se float64
	t        float64 // the quantile of Student's t
}

// newTInterval returns the t interval of differences of one cell.
func newTInterval(x []float64) tInterval {
	m, squares := mean(x), 0.0
	for _, v := range x {
		squares += (v - m) * (v - m)
	}
	n := float64(len(x))
	return tInterval{m, math.Sqrt(squares / (n - 1) / n), distribution.StudentQuantile((1+confidence)/2, n-1)}
}

func (s tInterval) covers(truth float64) bool { return math.Abs(s.mean-truth) <= s.t*s.se+1e-12 }

// must panics on an error: it means that this command calls a statistic with wrong arguments.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// mustValue is must for a function that returns a value.
func mustValue[T any](v T, err error) T {
	must(err)
	return v
}
