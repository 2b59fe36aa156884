package stats

import (
	"errors"
	"fmt"
	"math"
)

// An Interval holds an unknown value with a stated confidence or probability.
type Interval struct{ Low, High float64 }

// ErrNoData is returned by a function that was given no values.
var ErrNoData = errors.New("stats: no values")

// A BadValue error rejects a number that was passed to a function of this package. A NaN,
// an infinity or a number outside its range is never used: a NaN that reached a gate would
// pass it, because it is not below any margin.
type BadValue struct {
	Index int     // index among the values of the call, from 0; -1 for a single argument
	Value float64 // the value rejected
	Why   string  // what is wrong, as a clause: "is not a number"
}

// Error gives the index, the value and what is wrong with it.
func (b *BadValue) Error() string {
	if b.Index < 0 {
		return fmt.Sprintf("stats: %v %s", b.Value, b.Why)
	}
	return fmt.Sprintf("stats: value %d (%v) %s", b.Index, b.Value, b.Why)
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// findRoot returns the root of a function that falls from near to far and may be infinite
// anywhere, to a ten-millionth of scale. The search starts at guess, as if the slope were
// -1 over the distance scale.
//
// It follows the secant through the last two points. It bisects if the secant leaves the
// bracket or did not halve the value. This takes a few steps on a nearly linear function
// and at most twice as many as bisection on any other.
func findRoot(f func(x float64) float64, near, far, guess, scale float64) float64 {
	within := max(1e-7*scale, 1e-15*math.Abs(far-near)) // limited by the precision of a float64
	slope := -1 / math.Copysign(scale, far-near)
	x, bisect := guess, false
	last, atLast := math.NaN(), math.Inf(1)
	for math.Abs(far-near) > within {
		if bisect || !(min(near, far) < x && x < max(near, far)) {
			x = near + (far-near)/2
		}
		y := f(x)
		switch {
		case y == 0:
			return x
		case y > 0:
			near = x
		default:
			far = x
		}
		if s := (y - atLast) / (x - last); finite(s) && s != 0 {
			slope = s
		}
		bisect = !bisect && math.Abs(y) > math.Abs(atLast)/2
		last, atLast = x, y
		x -= y / slope
		if math.Abs(x-last) <= within {
			return x
		}
	}
	return near + (far-near)/2
}
