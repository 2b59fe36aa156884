package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats/sequential"
)

// unchangedEndpoint simulates every verdict on an endpoint compared with itself.
func unchangedEndpoint(l *simulator) section {
	s := section{title: "The same endpoint, asked twice", text: `
Two runs of one endpoint that answers at random: each answer is right with the same probability, whatever the item. No endpoint of the same accuracy is noisier. Nothing is worse here, so every “worse” and “better” is an error about
the endpoint. These rates are stated. ` + "`compare`" + ` has at most 5 %. ` + "`check`" + ` has at most 1.5 %, and 1 % from 80 items on. ` + "`--until-verdict`" + ` has at most 5 %, and 3 % from 80 items on.

In the scope of the benchmark, “worse” may be true of the answers that happened. That scope cannot say whether an endpoint changed. This is why it is not the default.`}
	gate := table{title: "`check`, margin .05", head: []string{"right", "items", "endpoint: pass", "worse", "undecided", "items on average", "benchmark: pass", "“worse”"}}
	until := table{title: "`--until-verdict`, ROPE ±.02", head: []string{"right", "items", "endpoint: equivalent", "worse or better", "undecided", "benchmark: equivalent", "“worse” or “better”"}}
	compare := table{title: "`compare`, ROPE ±.02", head: []string{"right", "items", "equivalent", "worse", "better", "inconclusive"}}
	for _, p := range subset(l, 2, []float64{.7, .9, .97}) {
		for _, n := range subset(l, 2, []int{10, 20, 40, 60, 80, 200, 400, 1440}) {
			pop, name := exactAnswers(p, n), fmt.Sprintf("twice/%g/%d", p, n)
			share, items := fmt.Sprintf("%g", p), fmt.Sprint(n)
			attempt := func(right sequential.Decision, start func(b *benchmark) tester) decisionRates {
				return l.rates(name, manyRuns, func(r *rand.Rand) (sequential.Decision, sequential.Decision, int) {
					b := pop.draw(r, 0)
					t := start(b)
					return b.runTest(t), right, t.N()
				})
			}
			g := attempt(sequential.Pass, func(*benchmark) tester { return mustValue(sequential.NewGate(.05, alpha, 0)) })
			full := attempt(sequential.Pass, func(b *benchmark) tester { return b.gate(.05) })
			gate.row(share, items, g.pass.String(), g.worse.String(), g.undecided.percent(), g.items.count(), full.pass.percent(), full.worse.percent())

			u := attempt(sequential.Equivalent, func(*benchmark) tester { return mustValue(sequential.NewROPETest(rope, alpha, 0)) })
			full = attempt(sequential.Equivalent, func(b *benchmark) tester { return b.ropeTest(rope) })
			until.row(share, items, u.equivalent.String(), u.wrong.String(), u.undecided.percent(), full.equivalent.percent(), full.wrong.percent())

			c := l.rates(name, manyRuns, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
				return compareDecision(pop.draw(r, 0), rope), sequential.Equivalent, n
			})
			compare.row(share, items, c.equivalent.String(), c.worse.String(), c.better.String(), c.undecided.percent())

			gateLimit, untilLimit := .01, .03
			if n < 80 {
				gateLimit, untilLimit = .015, alpha
			}
			what := fmt.Sprintf("asked twice, %g right, %d items", p, n)
			s.atMost(what+": check says worse", g.worse, gateLimit)
			s.atMost(what+": until-verdict is wrong", u.wrong, untilLimit)
			s.atMost(what+": compare is wrong", c.wrong, alpha)
		}
	}
	s.tables = []table{gate, until, compare, unchanged(l)}
	return s
}

// unchanged shows which endpoints and baselines let an unchanged endpoint pass.
func unchanged(l *simulator) table {
	t := table{
		title: "What lets an unchanged endpoint pass: `check`, margin .05, 400 items, 90 % right",
		head:  []string{"endpoint", "pass", "worse", "undecided", "items on average"},
		note:  `A one-sided z test at 2.5 % that knows the true variance would pass the first of these in 65 % of tests. So the data lack information, and a better rule cannot replace it. Several trials of the baseline add some, and so do more items. Endpoints whose answers vary less need less.`,
	}
	for _, p := range []population{
		unevenItems("items all alike, baseline asked once", 0, .9, 1, 400),
		unevenItems("items all alike, baseline asked three times", 0, .9, 3, 400),
		unevenItems("items all alike, baseline asked ten times", 0, .9, 10, 400),
		unevenItems("80 % of the items always right, the others half the time, baseline asked once", .8, .5, 1, 400),
		unevenItems("80 % of the items always right, the others half the time, baseline asked three times", .8, .5, 3, 400),
		unevenItems("90 % of the items always right, the others never", .9, 0, 1, 400),
	} {
		got := l.rates("unchanged/"+p.name, manyRuns, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
			b, g := p.draw(r, 0), mustValue(sequential.NewGate(.05, alpha, 0))
			return b.runTest(g), sequential.Pass, g.N()
		})
		t.row(p.name, got.pass.String(), got.worse.String(), got.undecided.percent(), got.items.count())
	}
	return t
}
