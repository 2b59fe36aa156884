package main

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"verbatim/internal/stats"
)

// confidence of all intervals that are tried.
const confidence = .95

// covers reports whether the equal-tailed interval of p, which Interval would find
// by bisection and which reaches to the observed mean, holds the truth: one look
// instead of eighty.
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

// anchored is the posterior of differences that are all alike.
func anchored(x []float64) *stats.Posterior {
	var s stats.Strata
	for _, d := range x {
		must(s.Add(0, d))
	}
	return sure(s.Posterior())
}

// bootstrap is the Bayesian bootstrap of Rubin (1981): the posterior without anchors.
func bootstrap(x []float64) *stats.Posterior {
	a := make([]float64, len(x))
	for i := range a {
		a[i] = 1
	}
	return sure(stats.NewPosterior(x, a))
}

// student holds what intervals by the central limit theorem need.
type student struct {
	mean, se float64
	t        float64 // quantile, infinite where the sample has one value
}

// newStudent of differences that are all alike.
func newStudent(x []float64) student {
	m, squares := mean(x), 0.0
	for _, v := range x {
		squares += (v - m) * (v - m)
	}
	n := float64(len(x))
	return student{m, math.Sqrt(squares / (n - 1) / n), quantile(n - 1)}
}

func (s student) covers(truth float64) bool { return math.Abs(s.mean-truth) <= s.t*s.se+1e-12 }

// quantile of Student's distribution for a two-sided interval.
func quantile(free float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Quantile((1 + confidence) / 2)
}

// must ends a simulation that fed statistics what they refuse: a mistake in here.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// sure is must for what comes with a value.
func sure[T any](v T, err error) T {
	must(err)
	return v
}
