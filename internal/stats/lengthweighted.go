package stats

import "math"

// LengthWeighted returns the mean score over lengths, with each length as the weight of
// its mean. Published tables sum up lists of 2 to 256 values in this way.
//
// lengths[i] is the length of the item with scores[i]. Scores that are NaN are left out; a
// length without other scores is left out with its weight. ok is false if no score
// remains. A length below 1, an infinite score and slices of different lengths give a
// *BadValue.
func LengthWeighted(lengths []int, scores []float64) (mean float64, ok bool, err error) {
	if len(lengths) != len(scores) {
		return 0, false, &BadValue{min(len(lengths), len(scores)), math.NaN(), "is missing: lengths and scores must be equally many"}
	}
	type column struct {
		n   int
		sum float64
	}
	var order []int // the lengths by first appearance, so that the sum does not depend on map order
	columns := make(map[int]*column)
	for i, length := range lengths {
		switch v := scores[i]; {
		case length < 1:
			return 0, false, &BadValue{i, float64(length), "is not a length: it must be at least 1"}
		case math.IsInf(v, 0):
			return 0, false, &BadValue{i, v, "is infinite"}
		case !math.IsNaN(v):
			c := columns[length]
			if c == nil {
				c = new(column)
				columns[length] = c
				order = append(order, length)
			}
			c.n++
			c.sum += v
		}
	}
	sum, weight := 0.0, 0.0
	for _, length := range order {
		c := columns[length]
		sum += float64(length) * c.sum / float64(c.n)
		weight += float64(length)
	}
	if weight == 0 {
		return 0, false, nil
	}
	return sum / weight, true, nil
}
