package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats"
	"verbatim/internal/stats/horizon"
)

// confidence is the confidence of all intervals.
const confidence = .95

// intervals are the sections on intervals.
func intervals() []section {
	return []section{
		{"shares", "Intervals of a share", `A share is printed with the Wilson interval. The number of successes is a whole number, so the true coverage swings around 95 % as the share varies. The table is
summed exactly over every outcome, for true shares of 1 % to 99 %. The textbook interval of Wald (share ± 1.96 standard errors) is not used: without a failure it has no width.`, shareCoverage},
		{"differences", "Intervals of a mean difference", "The 95 % interval of `compare` and `check` comes from the anchored posterior, which has width even if all observed differences are 0. The usual interval (mean ± t standard errors) and the Bayesian bootstrap have none then.\n" +
			"If the differences are only −1, 0 and 1, and few, coverage is not smooth. An example: with 10 % failures among 20 items, .9²⁰ = 12 % of the samples show no failure. The interval of those samples just misses the truth.", differenceCoverage},
		{"strata", "Intervals of a design with fixed tasks and lengths", `Tasks and lengths (cells) stay the same when fresh items are drawn, so the default interval leaves out the variance between them. The plain posterior of the same differences is valid too, but wider than necessary.`, strataCoverage},
		{"ranks", "Ranks", `All rank intervals of a leaderboard are meant to hold together in 95 % of cases, each with every rank that equal runs share. The hardest case is that all runs are equal. Runs that are nearly equal differ by about a quarter of
the standard error of a difference from one to the next. The p-value of a pair comes from the posterior of its difference. If the two differ on m items, it is at least 2^(1−m), as of a two-sided sign test. Holm's correction covers all pairs.

The ranks that a run has in 95 % of draws from the posterior are not used. They hold the rank of a run if the others are well apart. If runs are equal, a lucky one is seldom last in these draws, although last may be its true rank.`, rankCoverage},
		{"tasks", "Intervals for tasks that were not asked", `The line on new tasks treats the tasks as a sample and uses their spread (cluster-robust, Student's t). In each simulated run, tasks are drawn again, and items in them. An interval that treats all items as independent fails,
the more the more items a task has.`, taskCoverage},
		{"stopped", "Intervals where a test stopped", `A test stops when the data are striking, so an ordinary interval of its items (“t at that stop”) may hold the truth less often than stated. The interval that is printed is anytime-valid (proved, 95 %): it holds the true
difference in the scope of the endpoint, and the difference over the full benchmark in the scope of the benchmark.`, stoppedCoverage},
		{"horizon", "Intervals of the 50 % horizon", `Each run has ten answers at each of eight lengths from 2 to 256. The share right is logistic in the logarithm of the length, or a step, below a ceiling of 1 minus the lapses (wrong answers at any length). The curve without
lapses reaches one half at length 32. With lapses of one half or more there is no horizon: the interval must begin at no length. “A length is named” says how often the estimate is one of the lengths, and not “none” or beyond an end.`, horizonCoverage},
	}
}

// sizes are the numbers of items of interval simulations.
func sizes() []int { return []int{10, 20, 60, 180, 1440} }

// shareCoverage sums the coverage of intervals of a share.
func shareCoverage(*simulator) []table {
	t := table{settings: []string{"items"}, columns: []column{{"Wilson: average", "wa", decimals(3)}, {"worst", "ww", decimals(3)}, {"textbook: average", "ta", decimals(3)}, {"worst", "tw", decimals(3)}}}
	for _, n := range sizes() {
		t.cases = append(t.cases, setting{[]string{strconv.Itoa(n)}, []simulation{{names: []string{"wa", "ww", "ta", "tw"}, sum: func() (all []float64) {
			for _, interval := range []func(k, n int) (float64, float64){
				func(k, n int) (float64, float64) { return stats.Wilson(k, n, confidence) },
				textbook,
			} {
				average, worst := sharesCovered(n, interval)
				all = append(all, average, worst)
			}
			return all
		}}}, []limit{atLeast("wa", .945, "share, average"), atLeast("ww", .90, "share, worst")}})
	}
	return []table{t}
}

// textbook returns the Wald interval.
func textbook(k, n int) (lo, hi float64) {
	p := float64(k) / float64(n)
	half := 1.959963984540054 * math.Sqrt(p*(1-p)/float64(n))
	return p - half, p + half
}

// sharesCovered returns the coverage of an interval over true shares of 1 to 99 %.
func sharesCovered(n int, interval func(k, n int) (lo, hi float64)) (average, worst float64) {
	los, his := make([]float64, n+1), make([]float64, n+1)
	for k := range los {
		los[k], his[k] = interval(k, n)
	}
	worst = 1
	for i := 1; i < 100; i++ {
		p, covered := float64(i)/100, 0.0
		for k := range los {
			if los[k] <= p && p <= his[k] {
				covered += trinomial(n, k, 0, p, 0)
			}
		}
		average += covered / 99
		worst = min(worst, covered)
	}
	return average, worst
}

// covers reports whether the equal-tailed interval of p, extended to the observed mean, holds the
// truth. It computes one tail, and stats.Posterior.Interval some eighty.
func covers(p *stats.Posterior, observed, truth float64) float64 {
	const tail = (1 - confidence) / 2
	switch above := p.Above(truth); {
	case above < tail:
		return indicator(truth <= observed)
	case above > 1-tail:
		return indicator(truth >= observed)
	}
	return 1
}

// A tInterval is the usual interval by the central limit theorem.
type tInterval struct {
	mean, se float64
	t        float64 // the quantile of Student's t
}

// newTInterval returns the t interval of differences of one cell.
func newTInterval(x []float64) tInterval {
	m, squares := mean(x), 0.0
	for _, v := range x {
		squares += (v - m) * (v - m)
	}
	n := float64(len(x))
	return tInterval{m, math.Sqrt(squares / (n - 1) / n), stats.StudentQuantile((1+confidence)/2, n-1)}
}

func (s tInterval) covers(truth float64) float64 {
	return indicator(math.Abs(s.mean-truth) <= s.t*s.se+1e-12)
}

// differenceCoverage simulates intervals of a mean difference.
func differenceCoverage(l *simulator) []table {
	t := table{settings: []string{"differences", "items"}, columns: []column{{"anchored", "anchored", rate}, {"t", "t", rate}, {"bootstrap without anchors", "bootstrap", rate}}}
	for _, p := range subset(l, 2, differencePopulations(l.scores)...) {
		for _, n := range subset(l, 3, sizes()...) {
			runs := 2_000
			if n <= 20 { // whose posterior takes less time
				runs = 10_000
			}
			t.cases = append(t.cases, setting{[]string{p.name, strconv.Itoa(n)}, []simulation{{fmt.Sprintf("differences/%s/%d", p.name, n), runs, []string{"anchored", "t", "bootstrap"}, func(r *rand.Rand, out []float64) {
				b, ones := emptyBenchmark(n), make([]float64, n)
				x := b.differences
				for i := range x {
					x[i], ones[i] = p.draw(r), 1
				}
				out[0] = covers(b.posterior(), mean(x), p.mean)
				out[1] = newTInterval(x).covers(p.mean)
				out[2] = covers(mustValue(stats.NewPosterior(x, ones)), mean(x), p.mean) // the Bayesian bootstrap (Rubin 1981)
			}, nil}}, []limit{differenceLimit("anchored", n)}})
		}
	}
	return []table{t}
}

// differenceLimit is the stated coverage of the interval of a mean difference. With few discrete
// outcomes it falls to .876 at 20 items.
func differenceLimit(number string, items int) limit {
	if items <= 20 {
		return atLeast(number, .87, "difference, few")
	}
	return atLeast(number, .93, "difference")
}

// strataCoverage simulates the interval of designs with fixed cells.
func strataCoverage(l *simulator) []table {
	ratio := func(e estimate) string {
		if e.mean >= 100 {
			return "–"
		}
		return tenths(e)
	}
	t := table{settings: []string{"cells", "design"}, columns: []column{{"stratified", "stratified", rate}, {"plain", "plain", rate}, {"variance ratio, plain / stratified", "ratio", ratio}}}
	for _, p := range cellPopulations(l.scores) {
		for _, d := range subset(l, 3, []struct{ cells, each, runs int }{{5, 2, 4000}, {10, 2, 4000}, {20, 3, 2000}, {18, 10, 1000}, {144, 10, 400}}...) {
			var cells []differencePopulation // evenly spread
			truth := 0.0
			for i := range d.cells {
				cells = append(cells, p.cells[i*len(p.cells)/d.cells])
				truth += cells[i].mean / float64(d.cells)
			}
			name := fmt.Sprintf("%d × %d", d.cells, d.each)
			t.cases = append(t.cases, setting{[]string{p.name, name}, []simulation{{"strata/" + p.name + "/" + name, d.runs, []string{"stratified", "plain", "ratio"}, func(r *rand.Rand, out []float64) {
				var s stats.Strata
				for i, c := range cells {
					for range d.each {
						must(s.Add(i, c.draw(r)))
					}
				}
				observed := s.Total().Mean
				out[0] = covers(mustValue(s.StratifiedPosterior()), observed, truth)
				out[1] = covers(mustValue(s.Posterior()), observed, truth)
				plain, _ := s.SE(false)
				exact, _ := s.SE(true)
				out[2] = plain * plain / max(exact*exact, 1e-9)
			}, nil}}, []limit{differenceLimit("stratified", d.cells*d.each)}})
		}
	}
	return []table{t}
}

// taskCoverage simulates the interval for unseen tasks.
func taskCoverage(l *simulator) []table {
	t := table{settings: []string{"tasks", "items"}, columns: []column{{"clustered", "clustered", rate}, {"items as independent (t)", "t", rate}}}
	for _, g := range taskPopulations(l.scores) {
		for _, d := range []struct{ tasks, items int }{{5, 16}, {18, 10}, {18, 80}} {
			t.cases = append(t.cases, setting{[]string{fmt.Sprintf("%d of %s", d.tasks, g.name), fmt.Sprintf("%d each", d.items)}, []simulation{{fmt.Sprintf("tasks/%s/%d/%d", g.name, d.tasks, d.items), 4000, []string{"clustered", "t"}, func(r *rand.Rand, out []float64) {
				clusters, all := make([]stats.Moments, d.tasks), []float64(nil)
				for i := range clusters {
					draw := g.task(r)
					var c stats.Strata
					for range d.items {
						v := draw(r)
						must(c.Add(0, v))
						all = append(all, v)
					}
					clusters[i] = c.Total()
				}
				if c, ok := stats.ClusterRobust(clusters, confidence); ok {
					out[0] = indicator(c.Interval.Low <= g.mean && g.mean <= c.Interval.High)
				}
				out[1] = newTInterval(all).covers(g.mean)
			}, nil}}, []limit{atLeast("clustered", .92, "tasks")}})
		}
	}
	return []table{t}
}

// stoppedCoverage simulates the interval at the stop of a sequential test.
func stoppedCoverage(l *simulator) []table {
	t := table{settings: []string{"population", "true difference"}, columns: []column{{"endpoint scope", "endpoint", rate}, {"t at that stop", "t", rate}, {"benchmark scope", "benchmark", rate}}}
	for _, p := range subset(l, 2, append([]population{exactAnswers(.9, 400), outrightFailures(400)}, publishedPopulations(l.scores)...)...) {
		for _, delta := range subset(l, 2, 0, -rope, -.1) {
			t.cases = append(t.cases, setting{[]string{p.name, signed(delta)}, []simulation{{fmt.Sprintf("stops/%s/%g", p.name, delta), 600, []string{"endpoint", "t", "benchmark"}, func(r *rand.Rand, out []float64) {
				b := p.draw(r, delta)
				open, full := test{width: rope}.of(0), test{width: rope}.of(len(b.differences))
				must(full.SetBaseline(b.baseline))
				b.decide(open, false)
				b.decide(full, false)
				in := open.Interval()
				out[0] = indicator(in.Low <= delta && delta <= in.High)
				out[1] = newTInterval(b.differences[:open.N()]).covers(delta)
				in, realised := full.Interval(), mean(b.differences)
				out[2] = indicator(in.Low <= realised+1e-9 && realised <= in.High+1e-9)
			}, nil}}, []limit{atLeast("endpoint", confidence, "stop"), atLeast("benchmark", confidence, "stop")}})
		}
	}
	return []table{t}
}

// signed prints a true difference.
func signed(delta float64) string {
	if delta == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.4g", delta)
}

// rankCoverage simulates simultaneous rank intervals, and the ranks of a run in 95 % of draws.
func rankCoverage(l *simulator) []table {
	columns := []column{{"all intervals hold", "all", rate}, {"one interval holds", "one", percent}, {"ranks in an interval", "width", tenths}}
	t := table{settings: []string{"runs", "items", "scores"}, columns: columns}
	drawn := table{title: "Ranks in 95 % of draws from the posterior, which this program does not use", settings: t.settings, columns: columns}
	for _, k := range []int{3, 7} {
		for _, items := range subset(l, 2, 20, 60, 180, 1440) {
			runs := 200 // a run takes longer with more items
			if items <= 60 {
				runs = 1000
			} else if items <= 180 || k == 3 {
				runs = 600
			}
			for _, f := range subset(l, 3, rankPopulations(l.scores, k, items)...) {
				t.cases = append(t.cases, rankSetting(f, fmt.Sprintf("ranks/%s/%d/%d", f.name, k, items), runs, simultaneousRanks, atLeast("all", .94, "ranks")))
			}
		}
		for _, f := range rankPopulations(l.scores, k, 60)[:3] { // nothing is stated about it
			drawn.cases = append(drawn.cases, rankSetting(f, fmt.Sprintf("ranks drawn/%s/%d", f.name, k), 200, posteriorRanks))
		}
	}
	if l.short {
		return []table{t}
	}
	return []table{t, drawn}
}

// rankSetting is the row of a kind of rank intervals.
func rankSetting(f rankPopulation, name string, runs int, intervals func(*stats.ScorePosterior) [][2]int, stated ...limit) setting {
	k := len(f.means)
	best, worst := f.trueRanks()
	return setting{[]string{strconv.Itoa(k), strconv.Itoa(f.items), f.name}, []simulation{{name, runs, []string{"all", "one", "width"}, func(r *rand.Rand, out []float64) {
		out[0] = 1
		for i, span := range intervals(f.joint(r)) {
			held := indicator(span[0] <= best[i] && worst[i] <= span[1])
			out[0] = min(out[0], held)
			out[1] += held / float64(k)
			out[2] += float64(span[1]-span[0]+1) / float64(k)
		}
	}, nil}}, stated}
}

// simultaneousRanks returns the rank intervals of a leaderboard.
func simultaneousRanks(j *stats.ScorePosterior) (spans [][2]int) {
	pairs := make([][]stats.RankPair, len(j.Means()))
	for a := range pairs {
		for b := range a {
			pairs[a] = append(pairs[a], mustValue(j.Compare(a, b)))
		}
	}
	for _, s := range stats.RankIntervals(pairs, confidence) {
		spans = append(spans, [2]int{s.Low, s.High})
	}
	return spans
}

// posteriorRanks returns the ranks without 2.5 % of the draws at either end.
func posteriorRanks(j *stats.ScorePosterior) (spans [][2]int) {
	const tail = (1 - confidence) / 2
	for _, p := range j.RankProbabilities(1, 0) {
		low, high := 1, len(p)
		for sum := p[0]; sum < tail; sum += p[low-1] {
			low++
		}
		for sum := p[len(p)-1]; sum < tail; sum += p[high-1] {
			high--
		}
		spans = append(spans, [2]int{low, high})
	}
	return spans
}

// A trueCurve is the share of exact answers by length: logistic in the logarithm of the
// length, or a step, below a ceiling of 1 minus the lapses.
type trueCurve struct {
	middle float64 // the length at which half of the answers are right, without the lapses
	steep  float64 // slope; infinite for a step
	lapse  float64 // the share of wrong answers at any length
}

// right returns the probability of a right answer at a length.
func (c trueCurve) right(length float64) float64 {
	if math.IsInf(c.steep, 1) {
		return (1 - c.lapse) * indicator(length < c.middle)
	}
	return (1 - c.lapse) / (1 + math.Exp(-c.steep*(math.Log2(c.middle)-math.Log2(length))))
}

// horizon returns the length at which half of all answers are right, with the lapses; 0 if there is no
// such length.
func (c trueCurve) horizon() float64 {
	switch {
	case c.lapse >= .5:
		return 0
	case math.IsInf(c.steep, 1):
		return c.middle
	}
	return c.middle * math.Exp2(math.Log(2*(1-c.lapse)-1)/c.steep)
}

// horizonCoverage simulates the interval of the 50 % horizon.
func horizonCoverage(l *simulator) []table {
	columns := []column{{"interval holds the horizon", "held", rate}, {"a length is named", "named", percent}}
	slopes := table{title: "Slopes and lapses", settings: []string{"slope", "lapses", "horizon"}, columns: columns}
	var curves, steps []trueCurve
	for _, steep := range []float64{.5, 1, 1.5, 3, 8, math.Inf(1)} {
		for _, lapse := range []float64{0, .1, .2, .3, .42, .55, .7, .9} {
			at := 32.0
			if math.IsInf(steep, 1) {
				at = 45
			}
			curves = append(curves, trueCurve{at, steep, lapse})
		}
	}
	for _, c := range subset(l, 7, curves...) {
		slope, length := fmt.Sprint(c.steep), strconv.FormatFloat(c.horizon(), 'f', 1, 64)
		if math.IsInf(c.steep, 1) {
			slope = "step"
		}
		if c.horizon() == 0 {
			length = horizon.NeverText
		}
		slopes.cases = append(slopes.cases, c.setting(slope, fmt.Sprint(c.lapse), length))
	}
	between := table{title: "Steps between two lengths, 32 and 64", settings: []string{"step at", "lapses"}, columns: columns}
	for _, lapse := range []float64{0, .05} {
		for i := range 8 {
			steps = append(steps, trueCurve{32 * math.Exp2((float64(i)+.5)/8), math.Inf(1), lapse})
		}
	}
	for _, c := range subset(l, 7, steps...) {
		between.cases = append(between.cases, c.setting(strconv.FormatFloat(c.middle, 'f', 1, 64), fmt.Sprint(c.lapse)))
	}
	return []table{slopes, between}
}

// setting is the row of a curve.
func (c trueCurve) setting(cells ...string) setting {
	counts := make([]horizon.Counts, 8)
	for i := range counts {
		counts[i] = horizon.Counts{Length: 2 << i, N: 10}
	}
	model, truth := mustValue(horizon.NewModel(counts)), c.horizon()
	return setting{cells, []simulation{{fmt.Sprintf("limits/%v", c), 2000, []string{"held", "named"}, func(r *rand.Rand, out []float64) {
		drawn := append([]horizon.Counts(nil), counts...)
		for i := range drawn {
			p := c.right(float64(drawn[i].Length))
			for range drawn[i].N {
				drawn[i].Right += int64(indicator(r.Float64() < p))
			}
		}
		got := mustValue(model.Fit(drawn)).Estimate()
		// Half a step of the grid of .05 doublings is allowed for rounding.
		step := math.Exp2(.025)
		out[0] = indicator(got.Interval.Low/step <= truth && truth <= got.Interval.High*step)
		out[1] = indicator(float64(got.Shortest) <= got.L50 && got.L50 <= float64(got.Longest))
	}, nil}}, []limit{atLeast("held", .93, "horizon")}}
}
