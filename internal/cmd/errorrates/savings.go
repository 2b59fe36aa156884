package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats/sequential"
)

// savings counts the requests that stopping early saves on the published scores.
func savings(l *simulator) section {
	s := section{title: "Calls saved on published scores"}
	if l.scores == nil {
		s.text = "Not computed: the published scores are missing."
		return s
	}
	s.text = `
Each row compares two of the seven published SortBench models. Their 1,440 lists come in random order, with an item of every length in a block. The test stops by the rules of this program. “Saved” are calls of B; the answers of A, the
baseline, are saved ones.

- In the scope of the benchmark, the verdict of the full run is the truth. The next column says how often the early verdict differs from it.
- In the scope of the endpoint, the test may end without a verdict, even after the last look.`
	for _, rope := range subset(l, 2, []float64{.02, .05}) {
		s.add(l, fmt.Sprintf("`--until-verdict`, ROPE ±%g", rope), savingsCase{
			right: func(d float64) sequential.Decision { return ropeDecision(d, rope) },
			full:  func(b *benchmark) tester { return b.ropeTest(rope) },
			plain: func(b *benchmark) tester { return mustValue(sequential.NewROPETest(rope, alpha, len(b.differences))) },
			open:  func(*benchmark) tester { return mustValue(sequential.NewROPETest(rope, alpha, 0)) },
		})
	}
	for _, margin := range subset(l, 2, []float64{.05, .02}) {
		s.add(l, fmt.Sprintf("`check`, margin %g", margin), savingsCase{
			right: func(d float64) sequential.Decision { return gateDecision(d, margin) },
			full:  func(b *benchmark) tester { return b.gate(margin) },
			plain: func(b *benchmark) tester { return mustValue(sequential.NewGate(margin, alpha, len(b.differences))) },
			open:  func(*benchmark) tester { return mustValue(sequential.NewGate(margin, alpha, 0)) },
		})
	}
	return s
}

// A savingsCase is a test in its scopes: of the benchmark, the same without the baseline's
// scores, and of the endpoint.
type savingsCase struct {
	right             func(d float64) sequential.Decision // of the full run
	full, plain, open func(b *benchmark) tester
}

// add adds the table of a case, with a row for every pair of published models.
func (s *section) add(l *simulator, title string, q savingsCase) {
	t := table{title: title, head: []string{"A", "B", "B − A", "full run", "benchmark: saved", "differs from the full run", "saved without A's scores", "endpoint: saved", "undecided"}}
	for _, pair := range subset(l, 5, l.scores.pairs()) {
		// The last look is one at all items in every run: the order does not matter.
		p := l.scores.realised(stream("pairs", 0), pair[0], pair[1]).posterior()
		d := mean(l.scores.differences(pair[0], pair[1]))
		attempt := func(start func(b *benchmark) tester) decisionRates {
			return l.rates("savings/"+pair[0]+"/"+pair[1], 400, func(r *rand.Rand) (decision, _ sequential.Decision, items int) {
				b := l.scores.realised(r, pair[0], pair[1])
				t := start(b)
				if decision = b.runBets(t); decision == sequential.Undecided {
					decision = t.FinalLook(p)
				}
				return decision, q.right(d), t.N()
			})
		}
		full, plain, open := attempt(q.full), attempt(q.plain), attempt(q.open)
		n := l.scores.items()
		t.row(pair[0], pair[1], fmt.Sprintf("%+.4f", d), string(q.right(d)), saved(full.items, n), full.wrong.String(), saved(plain.items, n), saved(open.items, n), open.undecided.percent())
		s.atMost(fmt.Sprintf("%s, %s and %s: wrong", title, pair[0], pair[1]), full.wrong, alpha)
	}
	s.tables = append(s.tables, t)
}
