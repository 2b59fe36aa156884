package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats/horizon"
)

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

// slope prints the slope.
func (c trueCurve) slope() string {
	if math.IsInf(c.steep, 1) {
		return "step"
	}
	return fmt.Sprint(c.steep)
}

// horizonRuns is the number of runs of each setting of a horizon.
const horizonRuns = 2000

// horizonCoverage simulates the interval of the 50 % horizon.
func horizonCoverage(l *simulator) section {
	s := section{title: "Intervals of the 50 % horizon", text: `
The 50 % horizon (L50) is the length at which the share of exact answers falls to one half. Its interval is meant to hold it in at least 93 % of runs, under two assumptions:

- Answers are independent given their length.
- The share of exact answers follows a logistic curve in the logarithm of the length, or a step. There are lapses: wrong answers that occur at any length.

The tables have lapses from 0 to 0.9, slopes from 0.5 to steps, and steps anywhere between two lengths that were asked. With lapses of one half or more there is no horizon: the interval must begin at no length. “A length is named” says
how often the estimate is one of the lengths, and not “none” or beyond an end of them.

Each run has ten answers at each of eight lengths from 2 to 256. The curve without lapses reaches one half at length 32. If the horizon is above the longest length, the interval is wide and does not locate it.`}
	var curves []trueCurve
	for _, steep := range []float64{.5, 1, 1.5, 3, 8, math.Inf(1)} {
		for _, lapse := range []float64{0, .1, .2, .3, .42, .55, .7, .9} {
			at := 32.0
			if math.IsInf(steep, 1) {
				at = 45
			}
			curves = append(curves, trueCurve{at, steep, lapse})
		}
	}
	slopes := table{title: "Slopes and lapses", head: []string{"slope", "lapses", "horizon", "interval holds the horizon", "a length is named"}}
	for _, c := range subset(l, 7, curves) {
		s.addHorizon(l, &slopes, []string{c.slope(), fmt.Sprint(c.lapse), lengthOrNone(c.horizon())}, c)
	}
	var steps []trueCurve
	for _, lapse := range []float64{0, .05} {
		for i := range 8 {
			steps = append(steps, trueCurve{32 * math.Exp2((float64(i)+.5)/8), math.Inf(1), lapse})
		}
	}
	between := table{title: "Steps between two lengths, 32 and 64", head: []string{"step at", "lapses", "interval holds the horizon", "a length is named"}}
	for _, c := range subset(l, 7, steps) {
		s.addHorizon(l, &between, []string{strconv.FormatFloat(c.middle, 'f', 1, 64), fmt.Sprint(c.lapse)}, c)
	}
	s.tables = []table{slopes, between}
	return s
}

// addHorizon simulates a curve, and adds its row and its stated rate.
func (s *section) addHorizon(l *simulator, t *table, cells []string, c trueCurve) {
	counts := make([]horizon.Counts, 8)
	for i := range counts {
		counts[i] = horizon.Counts{Length: 2 << i, N: 10}
	}
	model, truth := mustValue(horizon.NewModel(counts)), c.horizon()
	e := l.repeat(fmt.Sprintf("limits/%v", c), horizonRuns, 2, func(r *rand.Rand, out []float64) {
		drawn := append([]horizon.Counts(nil), counts...)
		for i := range drawn {
			p := c.right(float64(drawn[i].Length))
			for range drawn[i].N {
				if r.Float64() < p {
					drawn[i].Right++
				}
			}
		}
		got := mustValue(model.Fit(drawn)).Estimate()
		// Half a step of the grid of .05 doublings is allowed for rounding.
		step := math.Exp2(.025)
		out[0] = indicator(got.Interval.Low/step <= truth && truth <= got.Interval.High*step)
		out[1] = indicator(float64(got.Shortest) <= got.L50 && got.L50 <= float64(got.Longest))
	})
	t.row(append(cells, e[0].String(), e[1].percent())...)
	s.atLeast(fmt.Sprintf("interval of the horizon, slope %s, lapses %v, one half at %.1f", c.slope(), c.lapse, c.middle), e[0], .93)
}

// lengthOrNone prints a horizon, or that there is no length.
func lengthOrNone(length float64) string {
	if length == 0 {
		return horizon.NeverText
	}
	return strconv.FormatFloat(length, 'f', 1, 64)
}
