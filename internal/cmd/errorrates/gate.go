package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim/internal/stats/sequential"
)

// gateVerdicts simulates check.
func gateVerdicts(l *simulator) section {
	s := section{title: "The gate", text: `
` + "`" + `check` + "`" + ` asks whether an endpoint is worse than its baseline by more than the margin. It can make two errors: “worse” of an endpoint that is not, and “pass” of one that is.

- **Bets** make each error in at most 2.5 % of tests (proved).
- **The last look**, when the items are used up, adds about as many (2.5 % by its posterior).
- **Together** the stated rate is 5 % for each error. It comes near 5 % only if the truth is on the edge of the margin.

In the scope of the benchmark the claim is about the answers that happened. “Wrong” is counted against them, and 2.5 % is proved.`}
	for _, margin := range subset(l, 2, []float64{.05, .02}) {
		t := table{title: fmt.Sprintf("margin %g", margin), head: []string{"population", "true difference", "endpoint: pass", "worse", "undecided", "items on average", "benchmark: pass", "wrong", "items on average"}}
		for _, p := range subset(l, 4, append([]population{exactAnswers(.9, 400), exactAnswers(.9, 1440), exactAnswers(.7, 1440), outrightFailures(400)}, publishedPopulations(l.scores)...)) {
			for _, delta := range subset(l, 2, trueDifferences(margin)) {
				name := fmt.Sprintf("gate/%g/%s/%g", margin, p.name, delta)
				got, bets := l.endpointRates(name, p, delta, gateDecision(delta, margin), func() tester { return mustValue(sequential.NewGate(margin, alpha, 0)) })
				full := l.rates(name, manyRuns, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
					b := p.draw(r, delta)
					g := b.gate(margin)
					return b.runTest(g), gateDecision(mean(b.differences), margin), g.N()
				})
				t.row(p.name, signed(delta), got.pass.String(), got.worse.String(), got.undecided.percent(), got.items.count(), full.pass.percent(), full.wrong.String(), full.items.count())
				what := fmt.Sprintf("gate, margin %g, %s, true difference %g", margin, p.name, delta)
				s.atMost(what+": wrong", got.wrong, alpha)
				s.atMost(what+": wrong by bets", bets.wrong, alpha/2)
				s.atMost(what+": wrong of the benchmark", full.wrong, alpha/2)
				if delta == -margin {
					s.atMost(what+": pass", got.pass, alpha)
					s.atMost(what+": pass by bets", bets.pass, alpha/2)
				}
			}
		}
		s.tables = append(s.tables, t)
	}
	s.tables = append(s.tables, extended(l))
	return s
}

// extended simulates a rule that check does not use: a final look at each number of items to which an
// undecided gate is extended.
func extended(l *simulator) table {
	const margin = .05
	t := table{
		title: "If every extension of an undecided gate took the last look again; margin .05, the truth on its edge",
		head:  []string{"population", "items at most", "last looks", "pass", "worse", "undecided"},
		note:  "Bets hold at any number of looks. The errors of last looks add up. So `check` takes its last look only once, when all items of the baseline are used up, and not at every `--items` that ends undecided.",
	}
	for _, p := range []population{exactAnswers(.9, 1600), exactAnswers(.97, 1600)} {
		ends := []int{200, 400, 800, 1600}
		for k := range ends {
			got := l.rates("extended/"+p.name, manyRuns, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
				b, g := p.draw(r, -margin), mustValue(sequential.NewGate(margin, alpha, 0))
				for _, end := range ends[:k+1] {
					part := &benchmark{differences: b.differences[:end], block: 1}
					if decision = (&benchmark{differences: b.differences[g.N():end], block: 1}).runBets(g); decision == sequential.Undecided {
						decision = g.FinalLook(part.posterior())
					}
					if decision != sequential.Undecided {
						break
					}
				}
				return decision, sequential.Pass, g.N()
			})
			name := strings.Split(p.name, ", 1600")[0]
			t.row(name, strconv.Itoa(ends[k]), strconv.Itoa(k+1), got.pass.String(), got.worse.String(), got.undecided.percent())
		}
	}
	return t
}
