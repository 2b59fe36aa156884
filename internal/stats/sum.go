package stats

import (
	"math"
	"slices"
)

// An ExactSum adds numbers without intermediate rounding: its value is the sum with
// infinitely many digits, rounded once. So it depends neither on the order of the numbers nor
// on how sums were merged. The method is Shewchuk's: the sum is held as several numbers whose
// digits do not overlap (Discrete & Computational Geometry 18:305–363, 1997, sections 2.4 and
// 2.8). The zero value is ready.
type ExactSum struct {
	whole int64     // sum of the numbers that are 0 or 1, as most scores are
	parts []float64 // smallest first
}

// Add adds a number.
func (s *ExactSum) Add(v float64) {
	if v == 0 || v == 1 {
		s.whole += int64(v)
		return
	}
	s.parts = add(s.parts, v)
}

// AddTimes adds a number n times. n is below 2^53.
func (s *ExactSum) AddTimes(v float64, n int64) {
	if v == 0 || v == 1 {
		s.whole += int64(v) * n
		return
	}
	product := v * float64(n)
	s.parts = add(add(s.parts, product), math.FMA(v, float64(n), -product)) // the second is what rounding took
}

// Merge adds the numbers of another sum.
func (s *ExactSum) Merge(o *ExactSum) {
	s.whole += o.whole
	for _, v := range o.parts {
		s.parts = add(s.parts, v)
	}
}

// Value returns the sum. It is not finite if the numbers are too large.
func (s *ExactSum) Value() float64 {
	parts := add(slices.Clone(s.parts), float64(s.whole))
	sum, low, i := 0.0, 0.0, len(parts)
	for i > 0 && low == 0 {
		i--
		before := sum
		sum = before + parts[i]
		low = parts[i] - (sum - before)
	}
	// If the rest is exactly half of the last digit, the parts below it decide the rounding.
	if i > 0 && (low < 0 && parts[i-1] < 0 || low > 0 && parts[i-1] > 0) {
		if twice := 2 * low; (sum+twice)-sum == twice {
			sum += twice
		}
	}
	return sum
}

// add adds v to parts that do not overlap, and returns the new parts. It reuses the memory.
func add(parts []float64, v float64) []float64 {
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
