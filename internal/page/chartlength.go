package page

import (
	"math"
	"slices"

	"verbatim/internal/chart"
	"verbatim/internal/terminal"
)

// A lengthAxis has the places of lengths from left to right.
type lengthAxis struct {
	keys  []chart.Tick
	at    []float64
	Ticks []tick
}

// newLengthAxis spreads lengths between two places: numbers as the axis says, and words
// at equal distances.
func newLengthAxis(x chart.Axis, low, high float64) *lengthAxis {
	a := &lengthAxis{keys: x.Ticks}
	words := slices.ContainsFunc(x.Ticks, func(t chart.Tick) bool { return math.IsNaN(t.At) })
	s := scale{from: x.Min, to: x.Max, low: low, high: high, log: x.Log2}
	if words {
		s = scale{from: -0.5, to: float64(len(x.Ticks)) - 0.5, low: low, high: high}
	}
	for i, t := range x.Ticks {
		if words {
			t.At = float64(i)
		}
		a.at = append(a.at, s.at(t.At))
	}
	a.label(high)
	return a
}

// label names as many places as have room: the last one always, since that is the
// length that a reader looks for.
func (a *lengthAxis) label(high float64) {
	const gap = 6
	left := high + drawingWidth // of the label to the right
	for i := len(a.keys) - 1; i >= 0; i-- {
		text := terminal.Truncate(terminal.Visible(a.keys[i].Label), 9)
		half := letterWidth * float64(terminal.Width(text)) / 2
		if a.at[i]+half+gap > left {
			continue
		}
		left = a.at[i] - half
		a.Ticks = append(a.Ticks, newTick(a.at[i], text))
	}
	slices.Reverse(a.Ticks)
}
