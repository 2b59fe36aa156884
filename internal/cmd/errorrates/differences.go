package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A differencePopulation is a distribution of the difference of two scores with a known
// mean.
type differencePopulation struct {
	name string
	mean float64
	draw func(r *rand.Rand) float64
}

// flips are differences of exact answers: worse is the probability that only the first is
// right, better that only the second is.
func flips(name string, worse, better float64) differencePopulation {
	return differencePopulation{name, better - worse, func(r *rand.Rand) float64 {
		switch u := r.Float64(); {
		case u < worse:
			return -1
		case u < worse+better:
			return 1
		}
		return 0
	}}
}

// drawFrom draws one of the values with equal probability.
func drawFrom(name string, values []float64) differencePopulation {
	return differencePopulation{name, mean(values), func(r *rand.Rand) float64 { return values[r.IntN(len(values))] }}
}

// builtIn are the populations that need no published scores.
func builtIn() []differencePopulation {
	return []differencePopulation{
		flips("2 % fail", .02, 0),
		flips("10 % fail", .1, 0),
		flips("10 % worse, 5 % better", .1, .05),
		drawFrom("a tenth loses up to all", losses()),
		{"smooth", -.03, func(r *rand.Rand) float64 { // in hundredths, since scores are fractions
			return -.03 + math.Round(30*(r.Float64()+r.Float64()+r.Float64()-1.5))/100
		}},
	}
}

// losses returns fifty losses between 0 and 1, and nine zeros for each.
func losses() (values []float64) {
	values = make([]float64, 9*50)
	for i := range 50 {
		u := (float64(i) + .5) / 50
		values = append(values, -u*u)
	}
	return values
}

// published returns populations of published scores at one length, from mostly zero differences to
// almost none.
func published(s *scores) (all []differencePopulation) {
	if s == nil {
		return nil
	}
	for _, c := range []struct {
		length int
		a, b   string
	}{{8, "GPT-4o", "o3-mini"}, {16, "GPT-4o", "GPT-4o-mini"}, {64, "Claude-3.5-Haiku", "Llama-3.1"}, {256, "GPT-4o-mini", "Claude-3.5-Sonnet"}} {
		all = append(all, drawFrom(fmt.Sprintf("%s − %s, %d items", c.b, c.a, c.length), s.atLength(s.differences(c.a, c.b), c.length)))
	}
	return all
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
