package signedrank

import "math"

// Plain is Test by o.Max draws of all weights, as in baycomp. Its standard error is that
// of a frequency. It is the reference of Test.
func Plain(d []float64, rope float64, o Draws) (Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return Result{}, err
	}
	t, err := newTies(d, rope)
	if err != nil {
		return Result{}, err
	}
	draw, g, sums := o.rand(), make([]float64, len(t.z)), make([]float64, len(t.z)+1)
	var wins triple
	for range o.Max {
		parts, _ := t.drawParts(draw, g, sums)
		wins[parts.largest()]++
	}
	n, worst := float64(o.Max), 0.0
	for q := range wins {
		wins[q] /= n
		worst = max(worst, wins[q]*(1-wins[q]))
	}
	return Result{wins[0], wins[1], wins[2], math.Sqrt(worst / n), o.Max}, nil
}
