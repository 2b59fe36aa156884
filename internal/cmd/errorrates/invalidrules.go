package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats"
	"verbatim/internal/stats/distribution"
	"verbatim/internal/stats/sequential"
)

// firstLook and lookInterval are the numbers of items at which the rules look.
const firstLook, lookInterval = 32, 8

// invalidRules simulates common rules whose error rates do not hold.
func invalidRules(l *simulator) section {
	s := section{title: "Rules that do not hold", text: fmt.Sprintf(`
This program does not use three common rules: stop as soon as a posterior is sure, or as soon as a t interval is clear. The third takes “no difference so far” for “no variance”.

All look after %d items and then after every %d, up to 1,440, with a ROPE of ±%g, and stop at 95 %%. A verdict is wrong if it contradicts the true difference. On the edge of the ROPE, “worse” is wrong.`, firstLook, lookInterval, rope)}
	t := table{head: []string{"population", "true difference", "rule", "wrong", "“worse”", "“equivalent”", "items on average"}}
	rules := []struct {
		name string
		rule func(b *benchmark) (sequential.Decision, int)
		ours bool
	}{
		{"bets, endpoint scope", func(b *benchmark) (sequential.Decision, int) {
			q := mustValue(sequential.NewROPETest(rope, alpha, 0))
			return b.runTest(q), q.N()
		}, true},
		{"looking at the posterior at 95 %", peekingRule(discreteProbabilities), false},
		{"looking at t at 95 %: no variance without a difference", peekingRule(func(x []float64) stats.Probabilities { return newTInterval(x).probabilities() }), false},
	}
	for _, c := range subset(l, 2, []struct {
		p     population
		delta float64
	}{{exactAnswers(.9, 1440), -.02}, {exactAnswers(.97, 1440), -.02}, {outrightFailures(1440), -.03}, {outrightFailures(1440), -.02}}) {
		for _, rule := range rules {
			got := l.rates(fmt.Sprintf("rivals/%s/%g", c.p.name, c.delta), 500, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
				decision, items = rule.rule(c.p.draw(r, c.delta))
				return decision, ropeDecision(c.delta, rope), items
			})
			t.row(c.p.name, signed(c.delta), rule.name, got.wrong.String(), got.worse.percent(), got.equivalent.percent(), got.items.count())
			if rule.ours {
				s.atMost(fmt.Sprintf("compared with other rules, %s, true difference %g: wrong", c.p.name, c.delta), got.wrong, alpha)
			}
		}
	}
	s.tables = []table{t}
	return s
}

// peekingRule returns a rule that stops when one of three probabilities reaches the threshold.
func peekingRule(three func(x []float64) stats.Probabilities) func(b *benchmark) (sequential.Decision, int) {
	return func(b *benchmark) (sequential.Decision, int) {
		for n := firstLook; n <= len(b.differences); n += lookInterval {
			switch t := three(b.differences[:n]); {
			case t.Worse >= threshold:
				return sequential.Worse, n
			case t.Better >= threshold:
				return sequential.Better, n
			case t.Equivalent >= threshold:
				return sequential.Equivalent, n
			}
		}
		return sequential.Undecided, len(b.differences)
	}
}

// discreteProbabilities returns the probabilities by the anchored posterior, for differences that are
// all -1, 0 or 1.
func discreteProbabilities(x []float64) stats.Probabilities {
	a := []float64{.5, .5, .5}
	for _, d := range x {
		a[int(d)+1]++
	}
	return mustValue(stats.NewPosterior([]float64{-1, 0, 1}, a)).Probabilities(rope)
}

// probabilities returns the probabilities by a normal distribution around the mean.
func (s tInterval) probabilities() stats.Probabilities {
	if s.se == 0 {
		w := ropeDecision(s.mean, rope)
		return stats.Probabilities{Worse: indicator(w == sequential.Worse), Equivalent: indicator(w == sequential.Equivalent), Better: indicator(w == sequential.Better)}
	}
	worse, better := distribution.Normal((-rope-s.mean)/s.se), distribution.NormalAbove((rope-s.mean)/s.se)
	return stats.Probabilities{Worse: worse, Equivalent: 1 - worse - better, Better: better}
}
