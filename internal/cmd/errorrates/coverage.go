package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats"
)

// sizes are the numbers of items of interval simulations.
func sizes() []int { return []int{10, 20, 60, 180, 1440} }

// shareCoverage sums the coverage of intervals of a share.
func shareCoverage(*simulator) section {
	s := section{title: "Intervals of a share", text: `
An exact share is printed with the Wilson interval, or with the Jeffreys interval if a posterior is shown. Each is meant to hold the true share in 95 % of samples.

The number of successes is a whole number, so the true coverage swings around 95 % as the share varies. The table is summed exactly over every outcome, for true shares of 1 % to 99 %. It has the average over these shares, and
the worst of them.

The last columns are the textbook interval of Wald (share ± 1.96 standard errors). This program does not use it: without a failure it has no width.`}
	t := table{head: []string{"items", "Wilson: average", "worst", "Jeffreys: average", "worst", "textbook: average", "worst"}}
	for _, n := range sizes() {
		row := []string{strconv.Itoa(n)}
		for i, interval := range []func(int, int) (float64, float64){
			func(k, n int) (float64, float64) { return stats.Wilson(k, n, confidence) },
			func(k, n int) (float64, float64) { return stats.Jeffreys(k, n, confidence) },
			textbook,
		} {
			average, worst := sharesCovered(n, interval)
			row = append(row, fmt.Sprintf("%.3f", average), fmt.Sprintf("%.3f", worst))
			if i < 2 {
				s.atLeast(fmt.Sprintf("%s, %d items: average coverage", []string{"Wilson", "Jeffreys"}[i], n), estimate{mean: average}, .945)
				s.atLeast(fmt.Sprintf("%s, %d items: worst coverage", []string{"Wilson", "Jeffreys"}[i], n), estimate{mean: worst}, .82)
			}
		}
		t.row(row...)
	}
	s.tables = []table{t}
	return s
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
				covered += binomial(k, n, p)
			}
		}
		average += covered / 99
		worst = min(worst, covered)
	}
	return average, worst
}

// binomial returns the probability of k successes in n trials.
func binomial(k, n int, p float64) float64 {
	return math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

func logFactorial(n int) float64 {
	l, _ := math.Lgamma(float64(n + 1))
	return l
}

// differenceCoverage simulates intervals of a mean difference.
func differenceCoverage(l *simulator) section {
	s := section{title: "Intervals of a mean difference", text: `
` + "`" + `compare` + "`" + ` and ` + "`" + `check` + "`" + ` print a 95 % interval of the mean difference. It comes from the anchored posterior, which has width even if all observed differences are 0.

The usual interval (mean ± t standard errors) and the Bayesian bootstrap without anchors have no width then. They claim too much for few items or rare failures.

If the differences are only −1, 0 and 1, and few, coverage is not smooth. An example: with 10 % failures among 20 items, .9²⁰ = 12 % of the samples show no failure. The interval of those samples just misses the truth.`}
	t := table{head: []string{"differences", "items", "anchored", "t", "bootstrap without anchors"}}
	for _, sh := range subset(l, 2, append(builtIn(), published(l.scores)...)) {
		for _, n := range subset(l, 3, sizes()) {
			e := l.repeat(fmt.Sprintf("differences/%s/%d", sh.name, n), differenceRuns(n), 3, func(r *rand.Rand, out []float64) {
				x := make([]float64, n)
				for i := range x {
					x[i] = sh.draw(r)
				}
				out[0] = indicator(covers(anchored(x), mean(x), sh.mean))
				out[1] = indicator(newTInterval(x).covers(sh.mean))
				out[2] = indicator(covers(bootstrap(x), mean(x), sh.mean))
			})
			t.row(sh.name, strconv.Itoa(n), e[0].String(), e[1].String(), e[2].String())
			s.atLeast(fmt.Sprintf("anchored interval, %s, %d items", sh.name, n), e[0], statedCoverage(n))
		}
	}
	s.tables = []table{t}
	return s
}

// differenceRuns returns the number of runs: more for few items, whose posterior takes less time.
func differenceRuns(n int) int {
	if n <= 20 {
		return 10_000
	}
	return 2_000
}

// statedCoverage returns the stated coverage of the anchored interval. With few discrete outcomes it
// falls to .876 at 20 items.
func statedCoverage(n int) float64 {
	if n <= 20 {
		return .87
	}
	return .93
}

// strataCoverage simulates the interval of designs with fixed cells.
func strataCoverage(l *simulator) section {
	s := section{title: "Intervals of a design with fixed tasks and lengths", text: `
Tasks and lengths stay the same when fresh items are drawn. So the default interval leaves out the variance between them.

In these simulations, cells (a task at a length) are fixed. Only their items are drawn again. The plain posterior of the same differences is valid too, but wider than necessary.`}
	t := table{head: []string{"cells", "design", "stratified", "plain", "variance ratio, plain / stratified"}}
	for _, p := range cellPopulations(l.scores) {
		for _, d := range subset(l, 3, []struct{ cells, each, runs int }{{5, 2, 4000}, {10, 2, 4000}, {20, 3, 2000}, {18, 10, 1000}, {144, 10, 400}}) {
			cells := p.some(d.cells)
			truth := 0.0
			for _, c := range cells {
				truth += c.mean / float64(len(cells))
			}
			name := fmt.Sprintf("%d × %d", d.cells, d.each)
			e := l.repeat(fmt.Sprintf("strata/%s/%s", p.name, name), d.runs, 3, func(r *rand.Rand, out []float64) {
				var s stats.Strata
				for i, c := range cells {
					for range d.each {
						must(s.Add(i, c.draw(r)))
					}
				}
				observed := s.Total().Mean
				out[0] = indicator(covers(mustValue(s.StratifiedPosterior()), observed, truth))
				out[1] = indicator(covers(mustValue(s.Posterior()), observed, truth))
				plain, _ := s.SE(false)
				exact, _ := s.SE(true)
				out[2] = plain * plain / max(exact*exact, 1e-9)
			})
			ratio := "–"
			if e[2].mean < 100 {
				ratio = fmt.Sprintf("%.1f", e[2].mean)
			}
			t.row(p.name, name, e[0].String(), e[1].String(), ratio)
			s.atLeast(fmt.Sprintf("stratified interval, %s, %s", p.name, name), e[0], statedCoverage(d.cells*d.each))
		}
	}
	s.tables = []table{t}
	return s
}

// A cellPopulation is a list of cells, each with its distribution of differences.
type cellPopulation struct {
	name  string
	cells []differencePopulation
}

// some returns n cells, evenly spread.
func (g cellPopulation) some(n int) (cells []differencePopulation) {
	for i := range n {
		cells = append(cells, g.cells[i*len(g.cells)/n])
	}
	return cells
}

// cellPopulations are populations of 144 cells: two models with different horizons, and
// published pairs.
func cellPopulations(s *scores) []cellPopulation {
	falls := cellPopulation{name: "exact answers, two limits"}
	for i := range 144 {
		a, b := 1/(1+math.Exp(float64(i-100)/12)), 1/(1+math.Exp(float64(i-85)/12))
		falls.cells = append(falls.cells, flips("", a*(1-b), b*(1-a)))
	}
	all := []cellPopulation{falls}
	if s == nil {
		return all
	}
	for _, pair := range [][2]string{{"GPT-4o", "Claude-3.5-Sonnet"}, {"o3-mini", "DeepSeek-r1"}} {
		d, g := s.differences(pair[0], pair[1]), cellPopulation{name: pair[1] + " − " + pair[0]}
		for i := 0; i < len(d); i += lists {
			g.cells = append(g.cells, drawFrom("", d[i:i+lists]))
		}
		all = append(all, g)
	}
	return all
}

// taskCoverage simulates the interval for unseen tasks.
func taskCoverage(l *simulator) section {
	s := section{title: "Intervals for tasks that were not asked", text: `
“Better on these tasks” does not mean “better on tasks like these”. The line on new tasks therefore treats the tasks as a sample and uses their spread (cluster-robust, Student's t). In each simulated run, tasks are drawn again,
and items in them.

An interval that treats all items as independent fails. It fails more the more items a task has. The clustered interval is wide, because it has only as many observations as there are tasks.`}
	t := table{head: []string{"tasks", "items", "clustered", "items as independent (t)"}}
	for _, g := range taskPopulations(l.scores) {
		for _, d := range []struct{ tasks, items int }{{5, 16}, {18, 10}, {18, 80}} {
			e := l.repeat(fmt.Sprintf("tasks/%s/%d/%d", g.name, d.tasks, d.items), 4000, 2, func(r *rand.Rand, out []float64) {
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
				out[1] = indicator(newTInterval(all).covers(g.mean))
			})
			t.row(fmt.Sprintf("%d of %s", d.tasks, g.name), fmt.Sprintf("%d each", d.items), e[0].String(), e[1].String())
			s.atLeast(fmt.Sprintf("clustered interval, %d of %s, %d items each", d.tasks, g.name, d.items), e[0], .92)
		}
	}
	s.tables = []table{t}
	return s
}

// A taskPopulation draws tasks, which draw differences.
type taskPopulation struct {
	name string
	mean float64
	task func(r *rand.Rand) func(r *rand.Rand) float64
}

// taskPopulations are normal tasks, and the published tasks as a population.
func taskPopulations(s *scores) []taskPopulation {
	all := []taskPopulation{{"normal tasks", 0, func(r *rand.Rand) func(r *rand.Rand) float64 {
		centre := .08 * r.NormFloat64()
		return func(r *rand.Rand) float64 { return max(-1, min(1, centre+.2*r.NormFloat64())) }
	}}}
	if s == nil {
		return all
	}
	for _, pair := range [][2]string{{"GPT-4o", "Claude-3.5-Sonnet"}, {"Claude-3.5-Haiku", "Llama-3.1"}} {
		d := s.differences(pair[0], pair[1])
		each := len(d) / len(s.tasks)
		all = append(all, taskPopulation{pair[1] + " − " + pair[0], mean(d), func(r *rand.Rand) func(r *rand.Rand) float64 {
			t := r.IntN(len(s.tasks))
			return drawFrom("", d[t*each:(t+1)*each]).draw
		}})
	}
	return all
}
