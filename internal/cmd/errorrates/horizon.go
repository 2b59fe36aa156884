package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"verbatim/internal/stats/horizon"
)

// horizonCoverage simulates the interval of the 50 % horizon.
func horizonCoverage(l *simulator) section {
	s := section{title: "Intervals of the 50 % horizon", text: `
The 50 % horizon (L50) is the length at which the share of exact answers falls to one half. Its interval is meant to hold it in 95 % of runs, under two assumptions:

- Answers are independent given their length.
- The share of exact answers follows the fitted curve, with its lapses.

If the horizon is above the longest length, the interval is wide and does not locate it.`}
	t := table{head: []string{"horizon", "steepness", "lapses", "answers at each of 8 lengths", "interval holds the horizon"}}
	for _, c := range subset(l, 4, []struct {
		horizon, steep, lapse float64
		n                     int64
	}{{16, 1, 0, 10}, {16, 3, 0, 10}, {16, 1.5, .05, 10}, {100, 1, .02, 10}, {100, 3, 0, 10}, {16, 1.5, .05, 20}, {100, 1.5, .02, 20}, {4, 1.5, .1, 10}}) {
		// One half of all answers, lapses included.
		middle := math.Log2(c.horizon) + math.Log(.5/(1-c.lapse)/(1-.5/(1-c.lapse)))/c.steep
		e := l.repeat(fmt.Sprintf("limits/%v", c), 400, 1, func(r *rand.Rand, out []float64) {
			counts := make([]horizon.Counts, 8)
			for i := range counts {
				counts[i] = horizon.Counts{Length: 2 << i, N: c.n}
				p := (1 - c.lapse) / (1 + math.Exp(-c.steep*(middle-float64(i+1))))
				for range c.n {
					if r.Float64() < p {
						counts[i].Right++
					}
				}
			}
			in := mustValue(horizon.Fit(counts)).Interval
			// Half a step of the grid of .05 doublings is allowed for rounding.
			step := math.Exp2(.025)
			out[0] = indicator(in.Low/step <= c.horizon && c.horizon <= in.High*step)
		})
		t.row(fmt.Sprint(c.horizon), fmt.Sprint(c.steep), fmt.Sprint(c.lapse), fmt.Sprint(c.n), e[0].String())
		s.stated = append(s.stated, statedRate{fmt.Sprintf("interval of the horizon, %v", c), e[0], .93, true})
	}
	s.tables = []table{t}
	return s
}
