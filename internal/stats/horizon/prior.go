package horizon

import (
	"math"
	"slices"
)

// A prior is the set of curves of a grid, with their weights: every combination of a slope,
// a lapse rate and a floor.
type prior struct {
	slopes []float64 // rising; the last may be infinite: a step
	lapses []float64 // rising
	floors []float64 // rising, from 0
	// lapseWeights and floorWeights are the weights of lapses and floors.
	lapseWeights, floorWeights []float64
}

// defaultPrior is the prior of Fit.
//
// Slopes are log-uniform from 0.35 to 15, and a step has the weight of one slope. Lapse
// rates go up to 1: the ceiling may be below one half. Their weights are (1-lapse)^9, worth
// nine right answers at an easy length, plus lapseTail. Without that tail, many lapses are
// taken for a slow slope, and intervals hold the horizon in 70 % of cases only. One curve in
// ten has a floor.
func defaultPrior() *prior {
	p := &prior{
		lapses:       []float64{0, .03, .07, .12, .18, .25, .32, .38, .43, .48, .52, .57, .64, .75, .88, 1},
		floors:       []float64{0, .05},
		floorWeights: []float64{.9, .1},
	}
	for k := 0.35; k < 20; k *= 1.6 {
		p.slopes = append(p.slopes, k)
	}
	p.slopes = append(p.slopes, math.Inf(1))
	const lapseTail = .08
	for _, lapse := range p.lapses {
		p.lapseWeights = append(p.lapseWeights, math.Pow(1-lapse, 9)+lapseTail)
	}
	return p
}

// steps is the index of the slope of a step; -1 without one.
func (p *prior) steps() int { return slices.Index(p.slopes, math.Inf(1)) }

// index returns the index of a curve: by slope, then by lapse rate, then by floor.
func (p *prior) index(slope, lapse, floor int) int {
	return (slope*len(p.lapses)+lapse)*len(p.floors) + floor
}
