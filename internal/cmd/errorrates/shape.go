package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A shape is a distribution of the difference of two scores whose mean is known.
type shape struct {
	name string
	mean float64
	draw func(r *rand.Rand) float64
}

// flips is the shape of exact answers: worse is the probability that only the first
// is right, better that only the second is.
func flips(name string, worse, better float64) shape {
	return shape{name, better - worse, func(r *rand.Rand) float64 {
		switch u := r.Float64(); {
		case u < worse:
			return -1
		case u < worse+better:
			return 1
		}
		return 0
	}}
}

// listed draws one of the values, all alike.
func listed(name string, values []float64) shape {
	return shape{name, mean(values), func(r *rand.Rand) float64 { return values[r.IntN(len(values))] }}
}

// builtIn are the shapes that need no published scores.
func builtIn() []shape {
	return []shape{
		flips("2 % fail", .02, 0),
		flips("10 % fail", .1, 0),
		flips("10 % worse, 5 % better", .1, .05),
		listed("a tenth loses up to all", losses()),
		{"smooth", -.03, func(r *rand.Rand) float64 { // in hundredths, since scores are fractions
			return -.03 + math.Round(30*(r.Float64()+r.Float64()+r.Float64()-1.5))/100
		}},
	}
}

// losses is nine times 0 for each of the middles of fifty parts of 0 to 1, squared.
func losses() (values []float64) {
	values = make([]float64, 9*50)
	for i := range 50 {
		u := (float64(i) + .5) / 50
		values = append(values, -u*u)
	}
	return values
}

// published are shapes of real scores at one length, from those where almost all
// differences are 0 to those where almost none is.
func published(s *scores) (all []shape) {
	if s == nil {
		return nil
	}
	for _, c := range []struct {
		length int
		a, b   string
	}{{8, "GPT-4o", "o3-mini"}, {16, "GPT-4o", "GPT-4o-mini"}, {64, "Claude-3.5-Haiku", "Llama-3.1"}, {256, "GPT-4o-mini", "Claude-3.5-Sonnet"}} {
		all = append(all, listed(fmt.Sprintf("%s − %s, %d items", c.b, c.a, c.length), s.atLength(s.differences(c.a, c.b), c.length)))
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
