package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats"
)

// savings counts the calls that stopping early saves on the published scores.
func savings(l *lab) section {
	s := section{title: "Calls saved on published scores"}
	if l.scores == nil {
		s.text = "Not made: the published scores are not here."
		return s
	}
	s.text = `
For every two of the seven published SortBench models: the 1,440 lists in random order, an item of every length in a block, stopped by the rules of this program. Saved are the calls of the second model: the
first is kept. The full run has no interval to say how sure it is of its word; in the scope of the benchmark that word is the truth. In the scope of the endpoint the share that ended without a verdict stands beside, last look included.`
	for _, rope := range some(l, 2, []float64{.02, .05}) {
		t := table{title: fmt.Sprintf("`--until-verdict`, ROPE ±%g", rope), head: []string{"A", "B", "B − A", "full run", "benchmark: saved", "not the full run's word", "endpoint: saved", "undecided"}}
		l.eachPair(func(a, b string, d []float64, p *stats.Posterior) {
			full := l.saving(fmt.Sprintf("savings/%g/%s/%s", rope, a, b), d, p, wordOf(mean(d), rope), 400, func() tester { return sure(stats.NewSequential(rope, alpha, len(d))) })
			open := l.saving(fmt.Sprintf("savings/%g/%s/%s", rope, a, b), d, p, wordOf(mean(d), rope), 400, func() tester { return sure(stats.NewSequential(rope, alpha, 0)) })
			t.row(a, b, fmt.Sprintf("%+.4f", mean(d)), string(wordOf(mean(d), rope)), saved(full.items, len(d)), full.wrong.String(), saved(open.items, len(d)), open.undecided.percent())
			s.claims = append(s.claims, claim{fmt.Sprintf("savings, ROPE %g, %s and %s: wrong", rope, a, b), full.wrong, alpha, false})
		})
		s.tables = append(s.tables, t)
	}
	for _, margin := range some(l, 2, []float64{.05, .02}) {
		t := table{title: fmt.Sprintf("`check`, margin %g, A the baseline", margin), head: []string{"A", "B", "B − A", "full run", "benchmark: saved", "not the full run's word", "endpoint: saved", "undecided"}}
		l.eachPair(func(a, b string, d []float64, p *stats.Posterior) {
			right := gateWord(mean(d), margin)
			full := l.saving(fmt.Sprintf("savings/gate/%g/%s/%s", margin, a, b), d, p, right, 400, func() tester { return sure(stats.NewGate(margin, alpha, len(d))) })
			open := l.saving(fmt.Sprintf("savings/gate/%g/%s/%s", margin, a, b), d, p, right, 400, func() tester { return sure(stats.NewGate(margin, alpha, 0)) })
			t.row(a, b, fmt.Sprintf("%+.4f", mean(d)), string(right), saved(full.items, len(d)), full.wrong.String(), saved(open.items, len(d)), open.undecided.percent())
			s.claims = append(s.claims, claim{fmt.Sprintf("savings of the gate, margin %g, %s and %s: wrong", margin, a, b), full.wrong, alpha / 2, false})
		})
		s.tables = append(s.tables, t)
	}
	return s
}

// eachPair visits every two published models with the posterior of all their items,
// which is the last look of every run: the order does not matter to it.
func (l *lab) eachPair(visit func(a, b string, d []float64, p *stats.Posterior)) {
	for _, pair := range some(l, 5, l.scores.pairs()) {
		d := l.scores.differences(pair[0], pair[1])
		visit(pair[0], pair[1], d, l.scores.realised(stream("pairs", 0), d).posterior())
	}
}

// saving tries a test on realised differences in random order.
func (l *lab) saving(name string, d []float64, p *stats.Posterior, right stats.Decision, runs int, start func() tester) tried {
	return l.try(name, runs, func(r *rand.Rand) (said, _ stats.Decision, items int) {
		b, t := l.scores.realised(r, d), start()
		if said = b.bet(t); said == stats.Undecided {
			said = t.Last(p)
		}
		return said, right, t.N()
	})
}
