package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats/sequential"
)

// checksEach is the number of checks of one baseline.
const checksEach = 30

// oneBaseline simulates many checks of one saved baseline.
func oneBaseline(l *simulator) section {
	s := section{title: "One baseline, many checks", text: fmt.Sprintf(`
All other rates of `+"`check`"+` are averages over baselines. The answers of a saved baseline are a sample too, and all its checks share their luck. A lucky baseline is hard to reach, an unlucky one is easy.

Each baseline here is checked %d times. Answers are right with the same probability, whatever the item. The first rates are of an endpoint that has not changed. They are the share of checks that say “worse”, and the share of baselines with a false alarm in %[1]d checks. The last are of an endpoint that is worse by 1.2 times the margin. They are the share of checks that pass, and the share of baselines with a pass in %[1]d checks. The last column is the share of baselines in which more than 5 %% of the checks pass.

The stated rates are averages: at most 2.5 %% false alarms and 5 %% false passes of a single check. Nothing is stated for a single baseline. `+"`check`"+` prints the standard error of the baseline, and the number of `+"`--trials`"+` with which
1.96 standard errors are at most half the margin. Repeating a check every night against one baseline is not what it is for.`, checksEach)}
	t := table{head: []string{"right", "items", "margin", "trials of the baseline", "unchanged: worse", "a false alarm in 30 checks", "worse by 1.2 margins: pass", "a pass in 30 checks", "passes in more than 5 %"}}
	for _, c := range subset(l, 3, []struct {
		p      float64
		items  int
		margin float64
		trials int
	}{{.7, 400, .02, 1}, {.7, 400, .02, 5}, {.7, 400, .02, 21}, {.7, 200, .05, 1}, {.7, 200, .05, 7}, {.9, 400, .05, 1}, {.9, 400, .05, 2}, {.9, 1440, .05, 1}}) {
		e := l.repeat(fmt.Sprintf("one-baseline/%g/%d/%g/%d", c.p, c.items, c.margin, c.trials), 1000, 5, func(r *rand.Rand, out []float64) {
			baseline := make([]float64, c.items)
			for i := range baseline {
				for range c.trials {
					baseline[i] += indicator(r.Float64() < c.p)
				}
				baseline[i] /= float64(c.trials)
			}
			for range checksEach {
				out[0] += indicator(simulateCheck(r, baseline, c.p, c.margin) == sequential.Worse) / checksEach
				out[2] += indicator(simulateCheck(r, baseline, c.p-1.2*c.margin, c.margin) == sequential.Pass) / checksEach
			}
			out[1], out[3], out[4] = indicator(out[0] > 0), indicator(out[2] > 0), indicator(out[2] > .05)
		})
		t.row(fmt.Sprintf("%g", c.p), strconv.Itoa(c.items), fmt.Sprintf("%g", c.margin), strconv.Itoa(c.trials), e[0].String(), e[1].percent(), e[2].String(), e[3].percent(), e[4].percent())
		what := fmt.Sprintf("one baseline, %g right, %d items, margin %g, %d trials", c.p, c.items, c.margin, c.trials)
		s.atMost(what+": false alarm", e[0], alpha/2)
		s.atMost(what+": false pass", e[2], alpha)
	}
	s.tables = []table{t}
	return s
}

// simulateCheck simulates a check of an endpoint that is right with a probability.
func simulateCheck(r *rand.Rand, baseline []float64, right, margin float64) sequential.Decision {
	b, g := emptyBenchmark(len(baseline)), mustValue(sequential.NewGate(margin, alpha, 0))
	for i, score := range baseline {
		b.differences[i] = indicator(r.Float64() < right) - score
	}
	return b.runTest(g)
}
