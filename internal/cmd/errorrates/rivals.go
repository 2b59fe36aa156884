package main

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
)

// firstPeek and everyPeek are when a rival looks, in items.
const firstPeek, everyPeek = 32, 8

// rivals tries rules that are in use and do not hold.
func rivals(l *lab) section {
	s := section{title: "Rules that do not hold", text: fmt.Sprintf(`
This program does not use these common rules: stop as soon as a posterior is sure, stop as soon as a t interval is clear, take “no difference so far” for “no variance”.

All look after %d items and then after every %d, up to 1,440, with a ROPE of ±%g, and stop at 95 %%. A verdict is wrong if it contradicts the true difference. On the edge of the ROPE, “worse” is wrong.`, firstPeek, everyPeek, rope)}
	t := table{head: []string{"population", "true difference", "rule", "wrong", "“worse”", "“equivalent”", "items on average"}}
	rules := []struct {
		name string
		rule func(b *benchmark) (sequential.Decision, int)
		ours bool
	}{
		{"bets, endpoint scope", func(b *benchmark) (sequential.Decision, int) {
			q := sure(sequential.NewROPETest(rope, alpha, 0))
			return b.feed(q), q.N()
		}, true},
		{"looking at the posterior at 95 %", peek(counted), false},
		{"looking at t at 95 %: no variance without a difference", peek(func(x []float64) stats.Probabilities { return newStudent(x).three() }), false},
	}
	for _, c := range some(l, 2, []struct {
		p     population
		delta float64
	}{{exact(.9, 1440), -.02}, {exact(.97, 1440), -.02}, {outright(1440), -.03}, {outright(1440), -.02}}) {
		for _, rule := range rules {
			got := l.try(fmt.Sprintf("rivals/%s/%g", c.p.name, c.delta), 500, func(r *rand.Rand) (said, right sequential.Decision, items int) {
				said, items = rule.rule(c.p.draw(r, c.delta))
				return said, wordOf(c.delta, rope), items
			})
			t.row(c.p.name, signed(c.delta), rule.name, got.wrong.String(), got.worse.percent(), got.equivalent.percent(), got.items.count())
			if rule.ours {
				s.claims = append(s.claims, claim{fmt.Sprintf("compared with other rules, %s, true difference %g: wrong", c.p.name, c.delta), got.wrong, alpha, false})
			}
		}
	}
	s.tables = []table{t}
	return s
}

// peek is the rule that stops when one of three probabilities has the threshold.
func peek(three func(x []float64) stats.Probabilities) func(b *benchmark) (sequential.Decision, int) {
	return func(b *benchmark) (sequential.Decision, int) {
		for n := firstPeek; n <= len(b.d); n += everyPeek {
			switch t := three(b.d[:n]); {
			case t.Worse >= threshold:
				return sequential.Worse, n
			case t.Better >= threshold:
				return sequential.Better, n
			case t.Equivalent >= threshold:
				return sequential.Equivalent, n
			}
		}
		return sequential.Undecided, len(b.d)
	}
}

// counted are the probabilities by the anchored posterior of differences that are
// all -1, 0 or 1.
func counted(x []float64) stats.Probabilities {
	a := []float64{.5, .5, .5}
	for _, d := range x {
		a[int(d)+1]++
	}
	return sure(stats.NewPosterior([]float64{-1, 0, 1}, a)).Probabilities(rope)
}

// three are the probabilities that a t distribution around the mean gives.
func (s student) three() stats.Probabilities {
	if s.se == 0 {
		w := wordOf(s.mean, rope)
		return stats.Probabilities{Worse: one(w == sequential.Worse), Equivalent: one(w == sequential.Equivalent), Better: one(w == sequential.Better)}
	}
	d := distuv.Normal{Mu: s.mean, Sigma: s.se}
	worse, better := d.CDF(-rope), d.Survival(rope)
	return stats.Probabilities{Worse: worse, Equivalent: 1 - worse - better, Better: better}
}
