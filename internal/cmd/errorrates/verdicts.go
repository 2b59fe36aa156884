package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// decisionRates are the rates of each decision and of wrong ones, and the mean number of
// items.
type decisionRates struct {
	worse, equivalent, better, pass, undecided, wrong, items estimate
}

// rates repeats a procedure that returns its decision, the right one, and its number of
// items. An undecided result is not wrong.
func (l *simulator) rates(name string, runs int, procedure func(r *rand.Rand) (decision, right sequential.Decision, items int)) decisionRates {
	e := l.repeat(name, runs, 7, func(r *rand.Rand, out []float64) {
		decision, right, items := procedure(r)
		for i, d := range []sequential.Decision{sequential.Worse, sequential.Equivalent, sequential.Better, sequential.Pass, sequential.Undecided} {
			out[i] = indicator(decision == d)
		}
		out[5] = indicator(decision != sequential.Undecided && decision != right)
		out[6] = float64(items)
	})
	return decisionRates{e[0], e[1], e[2], e[3], e[4], e[5], e[6]}
}

// compareDecision returns the verdict of compare on a benchmark.
func compareDecision(b *benchmark, rope float64) sequential.Decision {
	o := verdict.Options{Rope: rope, Threshold: threshold}
	return asDecision(o.Word(b.posterior().Probabilities(rope), b.strata().SignFlip()))
}

// asDecision returns a word of compare as a decision.
func asDecision(w verdict.Word) sequential.Decision {
	if w.Settled() {
		return sequential.Decision(w)
	}
	return sequential.Undecided
}

// trueDifferences returns true differences for a ROPE or a margin: 0, inside, on the edge, outside, and
// far outside.
func trueDifferences(width float64) []float64 {
	return []float64{0, -width / 2, -width, -1.5 * width, -.1}
}

// compareVerdicts simulates compare at a fixed number of items.
func compareVerdicts(l *simulator) section {
	s := section{title: "Verdicts of compare", text: fmt.Sprintf(`
`+"`"+`compare`+"`"+` says worse, equivalent or better if the posterior probability of that is 95 %% or more, with a ROPE of ±%g. For “worse” and “better” the p-value of the sign-flip test must also be 5 %% or less. Otherwise it gives no verdict.

Its error rate is meant to be about 5 %% in the worst case, which is a true difference on the edge of the ROPE. There, “worse” and “equivalent” should each occur at most that often.

Few discrete outcomes can exceed this rate. An example: 2 %% of 200 items fail outright, and nothing else differs. In 9 %% of runs, none or one of them fails, and `+"`"+`compare`+"`"+` says “equivalent”. The stated rate is therefore 6 %%, and
10 %% for such outright failures.

These rates hold for one look at a number of items that is chosen in advance. A user who looks again and again until there is a verdict has more errors ([below](#rules-that-do-not-hold)).`, rope)}
	t := table{head: []string{"population", "true difference", "worse", "equivalent", "better", "inconclusive"}}
	for _, p := range subset(l, 3, append([]population{exactAnswers(.9, 10), exactAnswers(.7, 20), exactAnswers(.9, 40), exactAnswers(.7, 60), exactAnswers(.9, 80), exactAnswers(.9, 400), exactAnswers(.9, 1440), exactAnswers(.7, 1440), outrightFailures(60), outrightFailures(120), outrightFailures(200)}, publishedPopulations(l.scores)...)) {
		limit := .06
		if p.outright {
			limit = .10
		}
		for _, delta := range subset(l, 2, trueDifferences(rope)) {
			got := l.rates(fmt.Sprintf("compare/%s/%g", p.name, delta), manyRuns, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
				b := p.draw(r, delta)
				return compareDecision(b, rope), ropeDecision(delta, rope), len(b.differences)
			})
			t.row(p.name, signed(delta), got.worse.String(), got.equivalent.String(), got.better.String(), got.undecided.percent())
			s.atMost(fmt.Sprintf("compare, %s, true difference %g: wrong", p.name, delta), got.wrong, limit)
			if delta == -rope {
				s.atMost(fmt.Sprintf("compare, %s, on the edge: equivalent", p.name), got.equivalent, limit)
			}
		}
	}
	s.tables = []table{t}
	return s
}

// signed prints a true difference.
func signed(delta float64) string {
	if delta == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.4g", delta)
}

// benchmarkVerdicts simulates the sequential test of a fixed benchmark.
func benchmarkVerdicts(l *simulator) section {
	s := section{title: "Stopping early: what the full benchmark would say", text: `
With ` + "`" + `--until-verdict --scope benchmark` + "`" + `, at most 5 % of early verdicts differ from the verdict of all items of the benchmark. This is proved, for any distribution of scores and any number of looks.

A verdict is wrong here if it contradicts the mean of all items of that run. If the truth is on the edge of the ROPE, the full mean falls on either side by chance, and both verdicts are hard. So this case costs nearly all items, and has
the most errors.

The scores of the baseline are known before the first call. They serve as a control variate in the bets. The last columns are the same bets without it.`}
	for _, rope := range subset(l, 2, []float64{.02, .05}) {
		t := table{title: fmt.Sprintf("ROPE ±%g", rope), head: []string{"population", "true difference", "differs from the full run", "items on average", "saved", "scores of the baseline not used: wrong", "items on average"}}
		for _, p := range subset(l, 2, append([]population{exactAnswers(.9, 1440), outrightFailures(1440)}, publishedPopulations(l.scores)...)) {
			for _, delta := range subset(l, 2, trueDifferences(rope)) {
				name := fmt.Sprintf("benchmark/%g/%s/%g", rope, p.name, delta)
				got := l.rates(name, manyRuns, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
					b := p.draw(r, delta)
					q := b.ropeTest(rope)
					return b.runBets(q), b.trueDecision(rope), q.N()
				})
				plain := l.rates(name, 1000, func(r *rand.Rand) (decision, right sequential.Decision, items int) {
					b, q := p.draw(r, delta), mustValue(sequential.NewROPETest(rope, alpha, 1440))
					return b.runBets(q), b.trueDecision(rope), q.N()
				})
				t.row(p.name, signed(delta), got.wrong.String(), got.items.count(), saved(got.items, 1440), plain.wrong.String(), plain.items.count())
				what := fmt.Sprintf("benchmark scope, ROPE %g, %s, true difference %g", rope, p.name, delta)
				s.atMost(what+": wrong", got.wrong, alpha)
				s.atMost(what+", baseline not used: wrong", plain.wrong, alpha)
			}
		}
		s.tables = append(s.tables, t)
	}
	return s
}

// saved prints the share of n items that were not sent.
func saved(items estimate, n int) string {
	return fmt.Sprintf("%.0f %%", 100*(1-items.mean/float64(n)))
}

// endpointVerdicts simulates the ROPE test of an endpoint and its final look.
func endpointVerdicts(l *simulator) section {
	s := section{title: "Stopping early: what fresh items would say", text: `
In the scope of the endpoint, the claim is about the true difference, and the items are a sample.

- **Bets** alone are wrong in at most 5 % of tests (proved). They may end without a verdict.
- **The last look** at the posterior, when the planned items are used up, may still give a verdict, at 97.5 %.

No proof covers the two together; this table is their record. The stated rates are at most 5 % for a wrong “worse” and at most 5 % for a wrong “equivalent”. They come near 5 % only if the truth is on the edge of the ROPE.`}
	for _, rope := range subset(l, 2, []float64{.02, .05}) {
		t := table{title: fmt.Sprintf("ROPE ±%g", rope), head: []string{"population", "true difference", "worse", "equivalent", "better", "undecided", "of these by bets: worse", "equivalent", "items on average"}}
		for _, p := range subset(l, 4, append([]population{exactAnswers(.97, 400), exactAnswers(.9, 200), exactAnswers(.9, 1440), outrightFailures(400)}, publishedPopulations(l.scores)...)) {
			for _, delta := range subset(l, 2, trueDifferences(rope)) {
				got, bets := l.endpointRates(fmt.Sprintf("endpoint/%g/%s/%g", rope, p.name, delta), p, delta, ropeDecision(delta, rope), func() tester { return mustValue(sequential.NewROPETest(rope, alpha, 0)) })
				t.row(p.name, signed(delta), got.worse.String(), got.equivalent.String(), got.better.String(), got.undecided.percent(), bets.worse.String(), bets.equivalent.String(), got.items.count())
				what := fmt.Sprintf("endpoint scope, ROPE %g, %s, true difference %g", rope, p.name, delta)
				s.atMost(what+": wrong", got.wrong, alpha)
				s.atMost(what+": wrong by bets", bets.wrong, alpha)
				if delta == -rope {
					s.atMost(what+": equivalent", got.equivalent, alpha)
					s.atMost(what+": equivalent by bets", bets.equivalent, alpha)
					s.atMost(what+": worse by bets", bets.worse, alpha/2)
				}
			}
		}
		s.tables = append(s.tables, t)
	}
	return s
}

// endpointRates simulates a test of an endpoint, with its final look and by bets alone, on
// the same data.
func (l *simulator) endpointRates(name string, p population, delta float64, right sequential.Decision, start func() tester) (all, bets decisionRates) {
	all = l.rates(name, p.runs, func(r *rand.Rand) (decision, _ sequential.Decision, items int) {
		b, t := p.draw(r, delta), start()
		return b.runTest(t), right, t.N()
	})
	runs := manyRuns
	if l.short {
		runs = 20 * 1000 // the short form makes 1,000 of them: bets take little time, and they are proved
	}
	bets = l.rates(name, runs, func(r *rand.Rand) (decision, _ sequential.Decision, items int) {
		b, t := p.draw(r, delta), start()
		return b.runBets(t), right, t.N()
	})
	return all, bets
}
