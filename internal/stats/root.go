package stats

import "math"

// crossing returns where a function that falls all the way from near to far, and
// may be infinite anywhere, is 0, to a ten-millionth of scale. The search starts at
// guess as if the function fell by 1 over the distance scale.
//
// It follows the secant through the last two places, and halves what is left where
// the secant leaves that or has not halved the value: a few steps along a curve
// that is nearly straight, and at most twice those of bisection along any other.
func crossing(f func(x float64) float64, near, far, guess, scale float64) float64 {
	within := max(1e-7*scale, 1e-15*math.Abs(far-near)) // no more digits than there are
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
