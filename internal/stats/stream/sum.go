package stream

import "math"

// An ExactSum adds numbers up without rounding on the way: its value is the sum as it
// would be with infinitely many digits, rounded once. So it does not depend on the
// order of the numbers, or on how sums were merged. The method is Shewchuk's: the sum
// is left as parts of which none overlaps another (Discrete & Computational Geometry
// 18:305–363, 1997, sections 2.4 and 2.8).
type ExactSum struct {
	whole int64     // of numbers that are 0 or 1, as most scores are
	parts []float64 // smallest first
}

// Add adds a number.
func (s *ExactSum) Add(v float64) {
	if v == 0 || v == 1 {
		s.whole += int64(v)
		return
	}
	s.parts = grown(s.parts, v)
}

// Merge adds the numbers of another sum.
func (s *ExactSum) Merge(o *ExactSum) {
	s.whole += o.whole
	for _, v := range o.parts {
		s.parts = grown(s.parts, v)
	}
}

// Value returns the sum; it is not finite where the numbers are too large.
func (s *ExactSum) Value() float64 {
	parts := grown(append([]float64(nil), s.parts...), float64(s.whole))
	sum, low, i := 0.0, 0.0, len(parts)
	for i > 0 && low == 0 {
		i--
		before := sum
		sum = before + parts[i]
		low = parts[i] - (sum - before)
	}
	// Where what is left lies exactly between two numbers, the parts below decide.
	if i > 0 && (low < 0 && parts[i-1] < 0 || low > 0 && parts[i-1] > 0) {
		if twice := 2 * low; (sum+twice)-sum == twice {
			sum += twice
		}
	}
	return sum
}

// grown adds v to parts that do not overlap.
func grown(parts []float64, v float64) []float64 {
	left := parts[:0]
	for _, p := range parts {
		if math.Abs(v) < math.Abs(p) {
			v, p = p, v
		}
		high := v + p
		if low := p - (high - v); low != 0 {
			left = append(left, low)
		}
		v = high
	}
	return append(left, v)
}
