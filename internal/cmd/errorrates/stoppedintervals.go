package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats/sequential"
)

// stoppedCoverage simulates the interval at the stop of a sequential test.
func stoppedCoverage(l *simulator) section {
	s := section{title: "Intervals where a test stopped", text: `
A test stops when the data are striking. An ordinary interval of its items may therefore hold the truth less often than stated.

The interval that is printed at a stop is anytime-valid (proved, 95 %). It holds the true difference in the scope of the endpoint, and the difference over the full benchmark in the scope of the benchmark. The column “t at that stop” is
the usual interval (mean ± t standard errors) of the same items.`}
	t := table{head: []string{"population", "true difference", "endpoint scope", "t at that stop", "benchmark scope"}}
	for _, p := range subset(l, 2, append([]population{exactAnswers(.9, 400), outrightFailures(400)}, publishedPopulations(l.scores)...)) {
		for _, delta := range subset(l, 2, []float64{0, -rope, -.1}) {
			e := l.repeat(fmt.Sprintf("stops/%s/%g", p.name, delta), 600, 3, func(r *rand.Rand, out []float64) {
				b := p.draw(r, delta)
				open, full := mustValue(sequential.NewROPETest(rope, alpha, 0)), b.ropeTest(rope)
				b.runBets(open)
				b.runBets(full)
				in := open.Interval()
				out[0] = indicator(in.Low <= delta && delta <= in.High)
				out[1] = indicator(newTInterval(b.differences[:open.N()]).covers(delta))
				in, realised := full.Interval(), mean(b.differences)
				out[2] = indicator(in.Low <= realised+1e-9 && realised <= in.High+1e-9)
			})
			t.row(p.name, signed(delta), e[0].String(), e[1].String(), e[2].String())
			s.atLeast(fmt.Sprintf("interval at a stop, %s, true difference %g", p.name, delta), e[0], confidence)
			s.atLeast(fmt.Sprintf("interval at a stop, benchmark scope, %s, true difference %g", p.name, delta), e[2], confidence)
		}
	}
	s.tables = []table{t}
	return s
}
