package stats

import "math"

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
