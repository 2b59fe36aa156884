package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats/sequential"
)

const (
	alpha     = .05
	threshold = .95 // of compare
	rope      = .02
)

// A tried is how often each decision was made, how often it was wrong and how many
// items it took.
type tried struct {
	worse, equivalent, better, pass, undecided, wrong, items estimate
}

// try repeats a procedure that returns its decision, the right one, and the items
// it took. Where there is no decision none is wrong.
func (l *lab) try(name string, runs int, procedure func(r *rand.Rand) (said, right sequential.Decision, items int)) tried {
	e := l.repeat(name, runs, 7, func(r *rand.Rand, out []float64) {
		said, right, items := procedure(r)
		for i, d := range []sequential.Decision{sequential.Worse, sequential.Equivalent, sequential.Better, sequential.Pass, sequential.Undecided} {
			out[i] = one(said == d)
		}
		out[5] = one(said != sequential.Undecided && said != right)
		out[6] = float64(items)
	})
	return tried{e[0], e[1], e[2], e[3], e[4], e[5], e[6]}
}

// compared is compare's word of a benchmark: the one that has the threshold.
func compared(b *benchmark, rope float64) sequential.Decision {
	switch t := b.posterior().Probabilities(rope); {
	case t.Worse >= threshold:
		return sequential.Worse
	case t.Better >= threshold:
		return sequential.Better
	case t.Equivalent >= threshold:
		return sequential.Equivalent
	}
	return sequential.Undecided
}

// truths are true differences around a ROPE or margin: none, inside, on the edge,
// beyond, and far beyond.
func truths(width float64) []float64 { return []float64{0, -width / 2, -width, -1.5 * width, -.1} }

// compareVerdicts tries the verdict of compare at a fixed number of items.
func compareVerdicts(l *lab) section {
	s := section{title: "Verdicts of compare", text: fmt.Sprintf(`
`+"`"+`compare`+"`"+` says worse, equivalent or better if the posterior probability of that is 95 %% or more, with a ROPE of ±%g. Otherwise it gives no verdict.

Its error rate is meant to be about 5 %% in the worst case, which is a true difference on the edge of the ROPE. There, “worse” and “equivalent” should each occur at most that often.

Few discrete outcomes can exceed this rate. An example: 2 %% of 200 items fail outright, and nothing else differs. In 9 %% of runs, none or one of them fails, and `+"`"+`compare`+"`"+` says “equivalent”. The stated rate is therefore 6 %%, and
10 %% for such outright failures.

These rates hold for one look at a number of items that is chosen in advance. A user who looks again and again until there is a verdict has more errors ([below](#rules-that-do-not-hold)).`, rope)}
	t := table{head: []string{"population", "true difference", "worse", "equivalent", "better", "inconclusive"}}
	for _, p := range some(l, 3, append([]population{exact(.9, 80), exact(.9, 400), exact(.9, 1440), exact(.7, 1440), outright(200)}, families(l.scores)...)) {
		limit := .06
		if p.discrete {
			limit = .10
		}
		for _, delta := range some(l, 2, truths(rope)) {
			got := l.try(fmt.Sprintf("compare/%s/%g", p.name, delta), p.runs, func(r *rand.Rand) (said, right sequential.Decision, items int) {
				b := p.draw(r, delta)
				return compared(b, rope), wordOf(delta, rope), len(b.d)
			})
			t.row(p.name, signed(delta), got.worse.String(), got.equivalent.String(), got.better.String(), got.undecided.percent())
			s.claims = append(s.claims, claim{fmt.Sprintf("compare, %s, true difference %g: wrong", p.name, delta), got.wrong, limit, false})
			if delta == -rope {
				s.claims = append(s.claims, claim{fmt.Sprintf("compare, %s, on the edge: equivalent", p.name), got.equivalent, limit, false})
			}
		}
	}
	s.tables = []table{t}
	return s
}

// signed writes a true difference.
func signed(delta float64) string {
	if delta == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.4g", delta)
}

// benchmarkVerdicts tries the sequential test of a fixed benchmark.
func benchmarkVerdicts(l *lab) section {
	s := section{title: "Stopping early: what the full benchmark would say", text: `
With ` + "`" + `--until-verdict --scope benchmark` + "`" + `, at most 5 % of early verdicts differ from the verdict of all items of the benchmark. This is proved, for any distribution of scores and any number of looks.

A verdict is wrong here if it contradicts the mean of all items of that run. If the truth is on the edge of the ROPE, the full mean falls on either side by chance, and both verdicts are hard. So this case costs nearly all items, and has
the most errors.

The scores of the baseline are known before the first call. They serve as a control variate in the bets. The last columns are the same bets without it.`}
	for _, rope := range some(l, 2, []float64{.02, .05}) {
		t := table{title: fmt.Sprintf("ROPE ±%g", rope), head: []string{"population", "true difference", "differs from the full run", "items on average", "saved", "scores of the baseline not used: wrong", "items on average"}}
		for _, p := range some(l, 2, append([]population{exact(.9, 1440), outright(1440)}, families(l.scores)...)) {
			for _, delta := range some(l, 2, truths(rope)) {
				name := fmt.Sprintf("benchmark/%g/%s/%g", rope, p.name, delta)
				got := l.try(name, cheap, func(r *rand.Rand) (said, right sequential.Decision, items int) {
					b := p.draw(r, delta)
					q := b.sequential(rope)
					return b.bet(q), b.word(rope), q.N()
				})
				plain := l.try(name, 1000, func(r *rand.Rand) (said, right sequential.Decision, items int) {
					b, q := p.draw(r, delta), sure(sequential.NewROPETest(rope, alpha, 1440))
					return b.bet(q), b.word(rope), q.N()
				})
				t.row(p.name, signed(delta), got.wrong.String(), got.items.count(), saved(got.items, 1440), plain.wrong.String(), plain.items.count())
				what := fmt.Sprintf("benchmark scope, ROPE %g, %s, true difference %g", rope, p.name, delta)
				s.claims = append(s.claims, claim{what + ": wrong", got.wrong, alpha, false}, claim{what + ", baseline not used: wrong", plain.wrong, alpha, false})
			}
		}
		s.tables = append(s.tables, t)
	}
	return s
}

// saved is the share of n items that were not asked.
func saved(items estimate, n int) string {
	return fmt.Sprintf("%.0f %%", 100*(1-items.mean/float64(n)))
}

// endpointVerdicts tries the sequential test of an endpoint and its last look.
func endpointVerdicts(l *lab) section {
	s := section{title: "Stopping early: what fresh items would say", text: `
In the scope of the endpoint, the claim is about the true difference, and the items are a sample.

- **Bets** alone are wrong in at most 5 % of tests (proved). They may end without a verdict.
- **The last look** at the posterior, when the planned items are used up, may still give a verdict, at 97.5 %.

No proof covers the two together; this table is their record. The stated rates are at most 5 % for a wrong “worse” and at most 5 % for a wrong “equivalent”. They come near 5 % only if the truth is on the edge of the ROPE.`}
	for _, rope := range some(l, 2, []float64{.02, .05}) {
		t := table{title: fmt.Sprintf("ROPE ±%g", rope), head: []string{"population", "true difference", "worse", "equivalent", "better", "undecided", "of these by bets: worse", "equivalent", "items on average"}}
		for _, p := range some(l, 4, append([]population{exact(.97, 400), exact(.9, 200), exact(.9, 1440), outright(400)}, families(l.scores)...)) {
			for _, delta := range some(l, 2, truths(rope)) {
				got, bets := l.endpoint(fmt.Sprintf("endpoint/%g/%s/%g", rope, p.name, delta), p, delta, wordOf(delta, rope), func() tester { return sure(sequential.NewROPETest(rope, alpha, 0)) })
				t.row(p.name, signed(delta), got.worse.String(), got.equivalent.String(), got.better.String(), got.undecided.percent(), bets.worse.String(), bets.equivalent.String(), got.items.count())
				what := fmt.Sprintf("endpoint scope, ROPE %g, %s, true difference %g", rope, p.name, delta)
				s.claims = append(s.claims, claim{what + ": wrong", got.wrong, alpha, false}, claim{what + ": wrong by bets", bets.wrong, alpha, false})
				if delta == -rope {
					s.claims = append(s.claims,
						claim{what + ": equivalent", got.equivalent, alpha, false},
						claim{what + ": equivalent by bets", bets.equivalent, alpha, false},
						claim{what + ": worse by bets", bets.worse, alpha / 2, false})
				}
			}
		}
		s.tables = append(s.tables, t)
	}
	return s
}

// endpoint tries a test of an endpoint, with its last look and by bets alone, on the
// same data.
func (l *lab) endpoint(name string, p population, delta float64, right sequential.Decision, start func() tester) (all, bets tried) {
	all = l.try(name, p.runs, func(r *rand.Rand) (said, _ sequential.Decision, items int) {
		b, t := p.draw(r, delta), start()
		return b.feed(t), right, t.N()
	})
	runs := cheap
	if l.short {
		runs = 20 * 1000 // a thousand: bets cost little, and what is proved should not break unseen
	}
	bets = l.try(name, runs, func(r *rand.Rand) (said, _ sequential.Decision, items int) {
		b, t := p.draw(r, delta), start()
		return b.bet(t), right, t.N()
	})
	return all, bets
}
