package main

import (
	"fmt"
	"math/rand/v2"

	"verbatim/internal/stats/sequential"
)

// stopCoverage tries the interval that is printed where a sequential test stops.
func stopCoverage(l *lab) section {
	s := section{title: "Intervals where a test stopped", text: `
A test stops when the data are striking. An ordinary interval of its items may therefore hold the truth less often than stated.

The interval that is printed at a stop is anytime-valid (proved, 95 %). It holds the true difference in the scope of the endpoint, and the difference over the full benchmark in the scope of the benchmark. The column “t at that stop” is
the usual interval (mean ± t standard errors) of the same items.`}
	t := table{head: []string{"population", "true difference", "endpoint scope", "t at that stop", "benchmark scope"}}
	for _, p := range some(l, 2, append([]population{exact(.9, 400), outright(400)}, families(l.scores)...)) {
		for _, delta := range some(l, 2, []float64{0, -rope, -.1}) {
			e := l.repeat(fmt.Sprintf("stops/%s/%g", p.name, delta), 600, 3, func(r *rand.Rand, out []float64) {
				b := p.draw(r, delta)
				open, full := sure(sequential.NewROPETest(rope, alpha, 0)), b.sequential(rope)
				b.bet(open)
				b.bet(full)
				in := open.Interval()
				out[0] = one(in.Low <= delta && delta <= in.High)
				out[1] = one(newStudent(b.d[:open.N()]).covers(delta))
				in, realised := full.Interval(), mean(b.d)
				out[2] = one(in.Low <= realised+1e-9 && realised <= in.High+1e-9)
			})
			t.row(p.name, signed(delta), e[0].String(), e[1].String(), e[2].String())
			s.claims = append(s.claims,
				claim{fmt.Sprintf("interval at a stop, %s, true difference %g", p.name, delta), e[0], confidence, true},
				claim{fmt.Sprintf("interval at a stop, benchmark scope, %s, true difference %g", p.name, delta), e[2], confidence, true})
		}
	}
	s.tables = []table{t}
	return s
}
