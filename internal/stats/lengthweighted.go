package stats

import "math"

// LengthWeighted is the mean score over lengths, each length's mean weighted by the
// length itself, as published tables sum up lists of 2 to 256 values. A score that is
// NaN is left out of the mean of its length, and a length without any other leaves
// with its weight. ok is false if no score remains.
//
// lengths[i] is the length of the item that has scores[i]: it is a *BadValue if one
// is below 1, if a score is infinite, or if there are not as many of one as of the
// other.
func LengthWeighted(lengths []int, scores []float64) (mean float64, ok bool, err error) {
	if len(lengths) != len(scores) {
		return 0, false, &BadValue{min(len(lengths), len(scores)), math.NaN(), "has no partner: lengths and scores differ in number"}
	}
	type column struct {
		n   int
		sum float64
	}
	// In the order of their first score: a sum over a map would depend on its order.
	var order []int
	by := make(map[int]*column)
	for i, length := range lengths {
		switch v := scores[i]; {
		case length < 1:
			return 0, false, &BadValue{i, float64(length), "is no length: the shortest is 1"}
		case math.IsInf(v, 0):
			return 0, false, &BadValue{i, v, "is infinite"}
		case !math.IsNaN(v):
			c := by[length]
			if c == nil {
				c = new(column)
				by[length] = c
				order = append(order, length)
			}
			c.n++
			c.sum += v
		}
	}
	sum, weight := 0.0, 0.0
	for _, length := range order {
		c := by[length]
		sum += float64(length) * c.sum / float64(c.n)
		weight += float64(length)
	}
	if weight == 0 {
		return 0, false, nil
	}
	return sum / weight, true, nil
}
