package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// verdicts are the sections on verdicts.
func verdicts() []section {
	return []section{
		{"compare", "Verdicts of compare", "`compare` says worse, equivalent or better if the posterior probability of that is 95 % or more, with a ROPE of ±0.02. For “worse” and “better” the p-value of the sign-flip test must also be 5 % or less, and for “equivalent” exact bounds must exclude a mean outside the ROPE at 5 %.\n" +
			"The worst case is a true difference on the edge of the ROPE. A posterior alone passes over rare failures: if 2 % of 101 items fail outright, and nothing else differs, none fails in 13 % of runs. For right or wrong answers, a test (`TestBoundsHold`) enumerates every outcome of the bounds. “Equivalent” is wrong in at most 5 %; “worse”, of few discrete outcomes, in at most 6 %.", compareVerdicts},
		{"few", "Verdicts of compare on few items, exactly", "Two models are equal, so every “worse” and every “better” is an error. The table is summed exactly over every outcome, for shares of items that differ of 1 % to 100 %; it has the worst of them. A posterior alone is too certain if few items differ.\n" +
			"`compare` therefore also requires the sign-flip test (for exact answers: McNemar's exact test) at 5 %. Given the number of items that differ, this test is wrong in at most 5 % of cases: a theorem for differences as likely in one direction as in the other.\n" +
			"The last columns are the price: how often `compare` finds a model worse that is right in 50 %, where the baseline is right in 90 %.", fewItems},
		{"several", "Several models compared with one baseline", "All models are equal. One of them is the baseline, and `compare` gives a verdict on every other. The figure is the probability of one or more “worse” or “better” in one output, whose verdicts are corrected by Holm's method.", severalModels},
		{"benchmark", "Stopping early: what the full benchmark would say", "With `--until-verdict --scope benchmark`, at most 5 % of early verdicts differ from the verdict of all items (proved, for any scores and any number of looks). If the truth is on the edge of the ROPE, the full mean falls on either side by chance. So this case costs nearly all items, and has the most errors.\n" +
			"The scores of the baseline are known before the first call, and are a control variate in the bets. The last columns are the same bets without it.", benchmarkVerdicts},
		{"endpoint", "Stopping early: what fresh items would say", `In the scope of the endpoint, bets alone are wrong in at most 5 % of tests (proved), but may end without a verdict. The last look at exact bounds, when the planned items are used up, may still give one, at 2.5 %. For “equivalent” no proof covers the
two together; this table is their record.`, endpointVerdicts},
		{"gate", "The gate", "`check` can make two errors: “worse” of an endpoint that is not worse than its baseline by more than the margin, and “pass” of one that is. Bets make each in at most 2.5 % of tests (proved), and the last look at exact bounds at most as many (`TestBoundsHold` enumerates every outcome of right or wrong answers): together the stated rate is 5 % for each. In the scope of the benchmark 2.5 % is proved.", gateVerdicts},
		{"one-baseline", "One baseline, many checks", "All other rates of `check` are averages over baselines. The answers of a saved baseline are a sample too, and all its checks share their luck. Nothing is stated for a single baseline; `check` prints its standard error, and the number of `--trials` that makes it small.\n" +
			"Each baseline here is checked 30 times, by an endpoint that has not changed, and by one that is worse by 1.2 times the margin.", oneBaseline},
		{"unchanged", "The same endpoint, asked twice", "Two runs of one endpoint whose answers are right with the same probability, whatever the item: no endpoint of the same accuracy is noisier. Every “worse” and “better” is an error about the endpoint.\n" +
			"Stated: `compare` has at most 5 %. `check` has at most 1.5 %, and 1 % from 80 items on. `--until-verdict` has at most 5 %, and 3 % from 80 items on. In the scope of the benchmark, “worse” may be true of the answers that happened. This is why it is not the default.", unchangedEndpoint},
	}
}

// A procedure is a way to decide about a benchmark of a true difference. It returns the decision, the
// right one, and its number of items.
type procedure func(b *benchmark, delta float64) (decision, right sequential.Decision, items int)

// An attempt is a procedure with a prefix for its numbers, to tell several of a row apart. runs is 0 for those of the population.
type attempt struct {
	prefix string
	runs   int
	decide procedure
}

// decisions lists the settings of populations and true differences, which all make the same attempts on
// the same data. stream begins the names of the random numbers.
func decisions(stream string, populations []population, deltas []float64, attempts []attempt, stated func(p population, delta float64) []limit) (rows []setting) {
	for _, p := range populations {
		for _, delta := range deltas {
			row := setting{append(p.cells, signed(delta)), nil, stated(p, delta)}
			name := fmt.Sprintf("%s/%s/%g", stream, p.name, delta)
			if len(deltas) == 1 {
				row.cells, name = p.cells, stream+"/"+p.name
			}
			for _, a := range attempts {
				names := strings.Fields("worse equivalent better pass undecided wrong direction items")
				for i := range names {
					names[i] = a.prefix + names[i]
				}
				row.of = append(row.of, simulation{name, cmp.Or(a.runs, p.runs), names, func(r *rand.Rand, out []float64) {
					decision, right, items := a.decide(p.draw(r, delta), delta)
					for i, d := range []sequential.Decision{sequential.Worse, sequential.Equivalent, sequential.Better, sequential.Pass, sequential.Undecided} {
						out[i] = indicator(decision == d)
					}
					out[5] = indicator(decision != sequential.Undecided && decision != right) // an undecided result is not wrong
					out[6] = out[0] + out[2]
					out[7] = float64(items)
				}, nil})
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// always states the same limits of every setting.
func always(limits ...limit) func(population, float64) []limit {
	return func(population, float64) []limit { return limits }
}

// fresh is the test in the scope of the endpoint, with its last look or by bets alone.
func (t test) fresh(look bool) procedure {
	return func(b *benchmark, delta float64) (decision, right sequential.Decision, items int) {
		s := t.of(0)
		return b.decide(s, look), t.right(delta), s.N()
	}
}

// whole is the test in the scope of the benchmark, with its last look or by bets alone, and with or without the scores of the baseline.
func (t test) whole(look, baseline bool) procedure {
	return func(b *benchmark, _ float64) (decision, right sequential.Decision, items int) {
		s := t.of(len(b.differences))
		if baseline {
			must(s.SetBaseline(b.baseline))
		}
		return b.decide(s, look), t.right(mean(b.differences)), s.N()
	}
}

// compareOnce is compare.
func compareOnce(b *benchmark, delta float64) (decision, right sequential.Decision, items int) {
	o := verdict.Options{Rope: rope, Threshold: threshold}
	decision = sequential.Undecided
	d := mustValue(o.Difference(b.posterior(), b.strata(), b.cells != nil))
	if w := o.Word(&d); w.Settled() {
		decision = sequential.Decision(w)
	}
	return decision, test{width: rope}.right(delta), len(b.differences)
}

// trueDifferences returns true differences for a ROPE or a margin: 0, inside, on the edge, outside, and
// far outside.
func trueDifferences(l *simulator, width float64) []float64 {
	return subset(l, 2, 0, -width/2, -width, -1.5*width, -.1)
}

// compareVerdicts simulates compare at a fixed number of items.
func compareVerdicts(l *simulator) []table {
	all := append([]population{exactAnswers(.9, 10), exactAnswers(.7, 20), exactAnswers(.9, 40), exactAnswers(.7, 60), exactAnswers(.9, 80), exactAnswers(.9, 400), exactAnswers(.9, 1440), exactAnswers(.7, 1440), outrightFailures(60), outrightFailures(120), outrightFailures(200)}, publishedPopulations(l.scores)...)
	return []table{{settings: []string{"population", "true difference"}, columns: []column{{"worse", "worse", rate}, {"equivalent", "equivalent", rate}, {"better", "better", rate}, {"inconclusive", "undecided", percent}},
		cases: decisions("compare", subset(l, 3, all...), trueDifferences(l, rope), []attempt{{"", manyRuns, compareOnce}}, func(_ population, delta float64) []limit {
			if delta == -rope {
				return []limit{atMost("wrong", .06, "compare"), atMost("equivalent", alpha, "")}
			}
			return []limit{atMost("wrong", .06, "compare")}
		})}}
}

// fewItems sums the error rates of compare on equal models over every outcome.
func fewItems(*simulator) []table {
	t := table{settings: []string{"items"}, columns: []column{{"posterior alone: worst", "alone", percent}, {"both right in 70 %", "alone 70", percent}, {"with the sign-flip test: worst", "tested", percent}, {"both right in 70 %", "tested 70", percent}, {"finds 50 % vs 90 %: posterior alone", "alone finds", percent}, {"with the test", "tested finds", percent}}}
	for _, n := range []int{5, 8, 9, 10, 11, 12, 15, 16, 20, 30, 40, 50, 60, 84, 100} {
		row := setting{[]string{strconv.Itoa(n)}, []simulation{{names: []string{"alone", "alone 70", "alone finds", "tested", "tested 70", "tested finds"}, sum: func() (all []float64) {
			for _, tested := range []bool{false, true} {
				v := newVerdictTable(n, tested)
				all = append(all, v.worstEqual(), v.directed(.3*.7, .3*.7), v.directed(.9*.5, .1*.5))
			}
			return all
		}}}, []limit{atMost("tested", alpha, "compare, equal")}}
		if n >= 30 { // a table without any verdict would keep the rate above
			row.stated = append(row.stated, atLeast("tested finds", .8, ""))
		}
		t.cases = append(t.cases, row)
	}
	return []table{t}
}

// A verdictTable says whether compare gives a direction, for each number of n items that
// only A has right and that only B has right.
type verdictTable [][]bool

// newVerdictTable makes the table of n items, with the sign-flip test or without it.
func newVerdictTable(n int, tested bool) verdictTable {
	t := make(verdictTable, n+1)
	for onlyA := range t {
		t[onlyA] = make([]bool, n-onlyA+1)
		for onlyB := range t[onlyA] {
			if onlyB < onlyA { // the mirrored case is computed already
				t[onlyA][onlyB] = t[onlyB][onlyA]
				continue
			}
			c := comparisonOf(n, onlyA, onlyB)
			directed := max(c.Difference.Worse, c.Difference.Better) >= threshold
			t[onlyA][onlyB] = directed && (!tested || c.P <= 1-threshold+verdict.Rounding)
		}
	}
	return t
}

// comparisonOf returns the comparison of n right or wrong answers, without a verdict.
func comparisonOf(n, onlyA, onlyB int) verdict.Comparison {
	b := emptyBenchmark(n)
	for i := range onlyA + onlyB {
		b.differences[i] = 1 - 2*indicator(i < onlyA)
	}
	o := verdict.Options{Rope: rope, Threshold: threshold}
	d := mustValue(o.Difference(b.posterior(), b.strata(), false))
	return verdict.Comparison{Threshold: threshold, P: d.PValue(), Verdict: verdict.Verdict{Difference: d}}
}

// exactProbabilities returns the probabilities by the anchored posterior, for n right or wrong answers.
func exactProbabilities(n, onlyA, onlyB int) stats.Probabilities {
	return mustValue(stats.NewPosterior([]float64{-1, 0, 1}, []float64{float64(onlyA) + .5, float64(n-onlyA-onlyB) + .5, float64(onlyB) + .5})).Probabilities(rope)
}

// directed returns the probability of “worse” or “better”, for the shares of items that only A and only
// B has right.
func (t verdictTable) directed(onlyA, onlyB float64) (share float64) {
	n := len(t) - 1
	for a := range t {
		for b, directed := range t[a] {
			if directed {
				share += trinomial(n, a, b, onlyA, onlyB)
			}
		}
	}
	return share
}

// worstEqual returns the largest probability of a direction for equal models, over the shares of items
// that differ.
func (t verdictTable) worstEqual() (worst float64) {
	for i := 1; i <= 100; i++ {
		worst = max(worst, t.directed(float64(i)/200, float64(i)/200))
	}
	return worst
}

// trinomial returns the probability that a and b of n items are in classes with the shares p and q.
func trinomial(n, a, b int, p, q float64) float64 {
	rest := n - a - b
	if rest > 0 && p+q >= 1 {
		return 0
	}
	l := logFactorial(n) - logFactorial(a) - logFactorial(b) - logFactorial(rest) + float64(a)*math.Log(p)
	if b > 0 {
		l += float64(b) * math.Log(q)
	}
	if rest > 0 {
		l += float64(rest) * math.Log1p(-p-q)
	}
	return math.Exp(l)
}

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n + 1))
	return l
}

// severalModels simulates compare on equal models that share a baseline.
func severalModels(l *simulator) []table {
	t := table{settings: []string{"models", "items", "right"}, columns: []column{{"posterior alone: some false verdict", "alone", rate}, {"sign-flip test, no correction", "tested", rate}, {"with Holm's correction", "corrected", rate}}}
	for _, models := range subset(l, 2, 3, 7, 12) {
		for _, n := range subset(l, 2, 10, 20, 50, 200) {
			for _, p := range subset(l, 2, .7, .9) {
				var seen sync.Map // the comparisons computed already, by the items that only A and only B has right
				t.cases = append(t.cases, setting{[]string{strconv.Itoa(models), strconv.Itoa(n), fmt.Sprint(p)}, []simulation{{fmt.Sprintf("several/%d/%d/%g", models, n, p), manyRuns, []string{"alone", "tested", "corrected"}, func(r *rand.Rand, out []float64) {
					baseline := make([]bool, n)
					for i := range baseline {
						baseline[i] = r.Float64() < p
					}
					var list []*verdict.Comparison
					for range models - 1 {
						var only [2]int
						for _, right := range baseline {
							switch again := r.Float64() < p; {
							case right && !again:
								only[0]++
							case again && !right:
								only[1]++
							}
						}
						known, ok := seen.Load(only)
						if !ok {
							known = comparisonOf(n, only[0], only[1])
							seen.Store(only, known)
						}
						c := known.(verdict.Comparison)
						out[0] = max(out[0], indicator(c.Difference.Worse >= threshold || c.Difference.Better >= threshold))
						out[1] = max(out[1], indicator(c.P <= 1-threshold && !equivalent(&c)))
						list = append(list, &c)
					}
					verdict.Adjust(list)
					for _, c := range list {
						out[2] = max(out[2], indicator(c.Word.Settled() && !equivalent(c)))
					}
				}, nil}}, []limit{atMost("corrected", alpha, "compare, equal")}})
			}
		}
	}
	return []table{t}
}

// equivalent reports whether the most probable word of a comparison is equivalent.
func equivalent(c *verdict.Comparison) bool {
	d := &c.Difference
	return d.Equivalent >= d.Worse && d.Equivalent >= d.Better
}

// benchmarkVerdicts simulates the sequential test of a fixed benchmark.
func benchmarkVerdicts(l *simulator) (tables []table) {
	for _, rope := range subset(l, 2, .02, .05) {
		t := test{width: rope}
		all := append([]population{exactAnswers(.9, 1440), outrightFailures(1440)}, publishedPopulations(l.scores)...)
		tables = append(tables, table{title: fmt.Sprintf("ROPE ±%g", rope), settings: []string{"population", "true difference"},
			columns: []column{{"differs from the full run", "wrong", rate}, {"items on average", "items", count}, {"saved", "items", saved}, {"scores of the baseline not used: wrong", "plain wrong", rate}, {"items on average", "plain items", count}},
			cases: decisions(fmt.Sprintf("benchmark/%g", rope), subset(l, 2, all...), trueDifferences(l, rope), []attempt{{"", manyRuns, t.whole(false, true)}, {"plain ", 1000, t.whole(false, false)}},
				always(atMost("wrong", alpha, "until"), atMost("plain wrong", alpha, "until")))})
	}
	return tables
}

// endpointVerdicts simulates the ROPE test of an endpoint and its final look.
func endpointVerdicts(l *simulator) (tables []table) {
	for _, rope := range subset(l, 2, .02, .05) {
		t := test{width: rope}
		all := append([]population{exactAnswers(.97, 400), exactAnswers(.9, 200), exactAnswers(.9, 1440), outrightFailures(400)}, publishedPopulations(l.scores)...)
		tables = append(tables, table{title: fmt.Sprintf("ROPE ±%g", rope), settings: []string{"population", "true difference"},
			columns: []column{{"worse", "worse", rate}, {"equivalent", "equivalent", rate}, {"better", "better", rate}, {"undecided", "undecided", percent}, {"of these by bets: worse", "bets worse", rate}, {"equivalent", "bets equivalent", rate}, {"items on average", "items", count}},
			cases: decisions(fmt.Sprintf("endpoint/%g", rope), subset(l, 4, all...), trueDifferences(l, rope), []attempt{{"", 0, t.fresh(true)}, {"bets ", manyRuns, t.fresh(false)}}, func(_ population, delta float64) []limit {
				stated := []limit{atMost("wrong", alpha, "until"), atMost("bets wrong", alpha, "until")}
				if delta == -rope {
					stated = append(stated, atMost("equivalent", alpha, "until"), atMost("bets equivalent", alpha, "until"), atMost("bets worse", alpha/2, ""))
				}
				return stated
			})})
	}
	return tables
}

// gateVerdicts simulates check.
func gateVerdicts(l *simulator) (tables []table) {
	for _, margin := range subset(l, 2, .05, .02) {
		g := test{margin, true}
		all := append([]population{exactAnswers(.9, 400), exactAnswers(.9, 1440), exactAnswers(.7, 1440), outrightFailures(400)}, publishedPopulations(l.scores)...)
		tables = append(tables, table{title: fmt.Sprintf("margin %g", margin), settings: []string{"population", "true difference"},
			columns: []column{{"endpoint: pass", "pass", rate}, {"worse", "worse", rate}, {"undecided", "undecided", percent}, {"items on average", "items", count}, {"benchmark: pass", "full pass", percent}, {"wrong", "full wrong", rate}, {"items on average", "full items", count}},
			cases: decisions(fmt.Sprintf("gate/%g", margin), subset(l, 4, all...), trueDifferences(l, margin), []attempt{{"", 0, g.fresh(true)}, {"bets ", manyRuns, g.fresh(false)}, {"full ", manyRuns, g.whole(true, true)}}, func(_ population, delta float64) []limit {
				stated := []limit{atMost("wrong", alpha, "check"), atMost("bets wrong", alpha/2, ""), atMost("full wrong", alpha/2, "")}
				if delta == -margin {
					stated = append(stated, atMost("pass", alpha, "check"), atMost("bets pass", alpha/2, ""))
				}
				return stated
			})})
	}
	return append(tables, extended())
}

// extended simulates a rule that check does not use: a final look at each number of items to which an
// undecided gate is extended.
func extended() table {
	const margin = .05
	t := table{title: "If every extension of an undecided gate took the last look again; margin .05, the truth on its edge",
		settings: []string{"population", "items at most", "last looks"}, columns: []column{{"pass", "pass", rate}, {"worse", "worse", rate}, {"undecided", "undecided", percent}},
		note: "Bets hold at any number of looks. The errors of last looks add up. So `check` takes its last look only once, when all items of the baseline are used up, and not at every `--items` that ends undecided."}
	ends := []int{200, 400, 800, 1600}
	for _, share := range []float64{.9, .97} {
		for k := range ends {
			p := exactAnswers(share, 1600)
			p.cells = []string{fmt.Sprintf("exact answers, %g right", share), strconv.Itoa(ends[k]), strconv.Itoa(k + 1)}
			t.cases = append(t.cases, decisions("extended", []population{p}, []float64{-margin}, []attempt{{"", 0, func(b *benchmark, _ float64) (decision, right sequential.Decision, items int) {
				g := test{margin, true}.of(0)
				for _, end := range ends[:k+1] {
					part := &benchmark{differences: b.differences[g.N():end], block: 1, whole: (&benchmark{differences: b.differences[:end]}).bounds()}
					if decision = part.decide(g, true); decision != sequential.Undecided {
						break
					}
				}
				return decision, sequential.Pass, g.N()
			}}}, always())...)
		}
	}
	return t
}

// oneBaseline simulates many checks of one saved baseline.
func oneBaseline(l *simulator) []table {
	const each = 30 // checks of a baseline
	t := table{settings: []string{"right", "items", "margin", "trials of the baseline"}, columns: []column{{"unchanged: worse", "alarm", rate}, {"a false alarm in 30 checks", "any alarm", percent}, {"worse by 1.2 margins: pass", "pass", rate}, {"a pass in 30 checks", "any pass", percent}, {"passes in more than 5 %", "often", percent}}}
	for _, c := range subset(l, 3, []struct {
		p      float64
		items  int
		margin float64
		trials int
	}{{.7, 400, .02, 1}, {.7, 400, .02, 5}, {.7, 400, .02, 21}, {.7, 200, .05, 1}, {.7, 200, .05, 7}, {.9, 400, .05, 1}, {.9, 400, .05, 2}, {.9, 1440, .05, 1}}...) {
		check := func(r *rand.Rand, baseline []float64, right float64) sequential.Decision {
			b := emptyBenchmark(len(baseline))
			for i, score := range baseline {
				b.differences[i] = indicator(r.Float64() < right) - score
			}
			return b.decide(test{c.margin, true}.of(0), true)
		}
		t.cases = append(t.cases, setting{[]string{fmt.Sprint(c.p), strconv.Itoa(c.items), fmt.Sprint(c.margin), strconv.Itoa(c.trials)}, []simulation{{fmt.Sprintf("one-baseline/%g/%d/%g/%d", c.p, c.items, c.margin, c.trials), 1000, []string{"alarm", "any alarm", "pass", "any pass", "often"}, func(r *rand.Rand, out []float64) {
			baseline := make([]float64, c.items)
			for i := range baseline {
				for range c.trials {
					baseline[i] += indicator(r.Float64() < c.p)
				}
				baseline[i] /= float64(c.trials)
			}
			for range each {
				out[0] += indicator(check(r, baseline, c.p) == sequential.Worse) / each
				out[2] += indicator(check(r, baseline, c.p-1.2*c.margin) == sequential.Pass) / each
			}
			out[1], out[3], out[4] = indicator(out[0] > 0), indicator(out[2] > 0), indicator(out[2] > .05)
		}, nil}}, []limit{atMost("alarm", alpha/2, ""), atMost("pass", alpha, "check")}})
	}
	return []table{t}
}

// unchangedEndpoint simulates every verdict on an endpoint compared with itself.
func unchangedEndpoint(l *simulator) []table {
	settings := []string{"right", "items"}
	gate := table{title: "`check`, margin .05", settings: settings, columns: []column{{"endpoint: pass", "pass", rate}, {"worse", "worse", rate}, {"undecided", "undecided", percent}, {"items on average", "items", count}, {"benchmark: pass", "full pass", percent}, {"“worse”", "full worse", percent}}}
	until := table{title: "`--until-verdict`, ROPE ±.02", settings: settings, columns: []column{{"endpoint: equivalent", "equivalent", rate}, {"worse or better", "wrong", rate}, {"undecided", "undecided", percent}, {"benchmark: equivalent", "full equivalent", percent}, {"“worse” or “better”", "full direction", percent}}}
	compare := table{title: "`compare`, ROPE ±.02", settings: settings, columns: []column{{"equivalent", "equivalent", rate}, {"worse", "worse", rate}, {"better", "better", rate}, {"inconclusive", "undecided", percent}}}
	unchanged, all := []float64{0}, []population(nil)
	for _, p := range subset(l, 2, .7, .9, .97) {
		for _, n := range subset(l, 2, 10, 20, 40, 60, 80, 200, 400, 1440) {
			pop := exactAnswers(p, n)
			pop.cells, pop.name = []string{fmt.Sprint(p), strconv.Itoa(n)}, fmt.Sprintf("%g/%d", p, n)
			all = append(all, pop)
		}
	}
	check, rope := test{.05, true}, test{width: rope}
	from80 := func(few, many limit) func(population, float64) []limit {
		return func(p population, _ float64) []limit {
			if n, _ := strconv.Atoi(p.cells[1]); n < 80 {
				return []limit{few}
			}
			return []limit{many}
		}
	}
	gate.cases = decisions("twice", all, unchanged, []attempt{{"", 0, check.fresh(true)}, {"full ", 0, check.whole(true, true)}}, from80(atMost("worse", .015, ""), atMost("worse", .01, "check, unchanged")))
	until.cases = decisions("twice", all, unchanged, []attempt{{"", 0, rope.fresh(true)}, {"full ", 0, rope.whole(true, true)}}, from80(atMost("wrong", alpha, "until"), atMost("wrong", .03, "until, unchanged")))
	compare.cases = decisions("twice", all, unchanged, []attempt{{"", 0, compareOnce}}, always(atMost("wrong", alpha, "compare, equal")))
	pass := table{title: "What lets an unchanged endpoint pass: `check`, margin .05, 400 items, 90 % right", settings: []string{"endpoint"},
		columns: []column{{"pass", "pass", rate}, {"worse", "worse", rate}, {"undecided", "undecided", percent}, {"items on average", "items", count}},
		note:    "A one-sided z test at 2.5 % that knows the true variance would pass the first of these in 65 % of tests: the data lack information, and a better rule cannot replace it. Trials of the baseline and more items add some. Endpoints whose answers vary less need less."}
	pass.cases = decisions("unchanged", []population{
		unevenItems("items all alike, baseline asked once", 0, .9, 1, 400),
		unevenItems("items all alike, baseline asked three times", 0, .9, 3, 400),
		unevenItems("items all alike, baseline asked ten times", 0, .9, 10, 400),
		unevenItems("80 % of the items always right, the others half the time, baseline asked once", .8, .5, 1, 400),
		unevenItems("80 % of the items always right, the others half the time, baseline asked three times", .8, .5, 3, 400),
		unevenItems("90 % of the items always right, the others never", .9, 0, 1, 400),
	}, unchanged, []attempt{{"", 0, check.fresh(true)}}, always())
	return []table{gate, until, compare, pass}
}

// firstLook and lookInterval are the numbers of items at which the rules look that do not hold.
const firstLook, lookInterval = 32, 8

// invalidRules simulates common rules whose error rates do not hold.
func invalidRules() section {
	return section{"invalid-rules", "Rules that do not hold", `This program does not use three common rules: stop as soon as a posterior is sure, or as soon as a t interval is clear. The third takes “no difference so far” for “no variance”. All look after 32 items and then after every 8,
up to 1,440, with a ROPE of ±0.02, and stop at 95 %.`, func(l *simulator) []table {
		t := table{settings: []string{"population", "true difference", "rule"}, columns: []column{{"wrong", "wrong", rate}, {"“worse”", "worse", percent}, {"“equivalent”", "equivalent", percent}, {"items on average", "items", count}}}
		for _, c := range subset(l, 2, []struct {
			p     population
			delta float64
		}{{exactAnswers(.9, 1440), -.02}, {exactAnswers(.97, 1440), -.02}, {outrightFailures(1440), -.03}, {outrightFailures(1440), -.02}}...) {
			name := fmt.Sprintf("%s/%g", c.p.name, c.delta)
			for i, rule := range []struct {
				name string
				rule procedure
			}{
				{"bets, endpoint scope", test{width: rope}.fresh(true)},
				{"looking at the posterior at 95 %", peekingRule(discreteProbabilities)},
				{"looking at t at 95 %: no variance without a difference", peekingRule(tProbabilities)},
			} {
				p, stated := c.p, []limit{atMost("wrong", alpha, "until")}
				p.name, p.cells = name, []string{c.p.name, signed(c.delta), rule.name}
				if i > 0 {
					stated = nil
				}
				t.cases = append(t.cases, decisions("rivals", []population{p}, []float64{c.delta}, []attempt{{"", 500, rule.rule}}, always(stated...))...)
			}
		}
		return []table{t}
	}}
}

// peekingRule returns a rule that stops when one of three probabilities reaches the threshold.
func peekingRule(three func(x []float64) stats.Probabilities) procedure {
	return func(b *benchmark, delta float64) (decision, right sequential.Decision, items int) {
		right = test{width: rope}.right(delta)
		for n := firstLook; n <= len(b.differences); n += lookInterval {
			switch t := three(b.differences[:n]); {
			case t.Worse >= threshold:
				return sequential.Worse, right, n
			case t.Better >= threshold:
				return sequential.Better, right, n
			case t.Equivalent >= threshold:
				return sequential.Equivalent, right, n
			}
		}
		return sequential.Undecided, right, len(b.differences)
	}
}

// discreteProbabilities returns the probabilities by the anchored posterior, for differences that are
// all -1, 0 or 1.
func discreteProbabilities(x []float64) stats.Probabilities {
	var counts [3]int
	for _, d := range x {
		counts[int(d)+1]++
	}
	return exactProbabilities(len(x), counts[0], counts[2])
}

// tProbabilities returns the probabilities by a normal distribution around the mean.
func tProbabilities(x []float64) stats.Probabilities {
	s := newTInterval(x)
	if s.se == 0 {
		w := test{width: rope}.right(s.mean)
		return stats.Probabilities{Worse: indicator(w == sequential.Worse), Equivalent: indicator(w == sequential.Equivalent), Better: indicator(w == sequential.Better)}
	}
	worse, better := stats.Normal((-rope-s.mean)/s.se), stats.NormalAbove((rope-s.mean)/s.se)
	return stats.Probabilities{Worse: worse, Equivalent: 1 - worse - better, Better: better}
}

// savings counts the requests that stopping early saves on the published scores.
func savings() section {
	return section{"savings", "Calls saved on published scores", `Each row compares two of the seven published SortBench models. Their 1,440 lists come in random order, with an item of every length in a block. “Saved” are calls of B; the answers of A, the baseline, are saved ones. In the
scope of the benchmark, the verdict of the full run is the truth. In the scope of the endpoint, the test may end without a verdict, even after the last look.`, func(l *simulator) (tables []table) {
		for i, q := range []test{{.02, false}, {.05, false}, {.05, true}, {.02, true}} {
			if l.short && i%2 == 1 {
				continue
			}
			t := table{title: fmt.Sprintf("`--until-verdict`, ROPE ±%g", q.width), settings: []string{"A", "B", "B − A", "full run"},
				columns: []column{{"benchmark: saved", "full items", saved}, {"differs from the full run", "full wrong", rate}, {"saved without A's scores", "plain items", saved}, {"endpoint: saved", "open items", saved}, {"undecided", "open undecided", percent}}}
			if q.gate {
				t.title = fmt.Sprintf("`check`, margin %g", q.width)
			}
			for _, p := range subset(l, 5, publishedPairs(l.scores)...) {
				p.cells = append(p.cells, string(q.right(p.mean)))
				t.cases = append(t.cases, decisions("savings", []population{p}, []float64{p.mean}, []attempt{{"full ", 400, q.whole(true, true)}, {"plain ", 400, q.whole(true, false)}, {"open ", 400, q.fresh(true)}}, always(atMost("full wrong", alpha, "until")))...)
			}
			tables = append(tables, t)
		}
		return tables
	}}
}
