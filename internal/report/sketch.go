package report

import "math"

// A sketch is a histogram of positive numbers whose buckets grow by the same
// factor, so that its quantiles have a relative error that is bounded (2.2 %)
// and its size does not grow with what is put in. Sketches add up.
type sketch struct {
	n       int64
	least   float64 // exact, as are its quantiles at both ends
	most    float64
	buckets [sketchBuckets]uint32
}

const (
	sketchLeast   = 1e-6 // seconds; smaller values fall into the first bucket
	sketchSteps   = 16   // buckets in a doubling
	sketchBuckets = 44 * sketchSteps
)

// add counts v; what is not a positive number is not counted.
func (s *sketch) add(v float64) {
	if !(v > 0) || math.IsInf(v, 1) {
		return
	}
	if s.n == 0 || v < s.least {
		s.least = v
	}
	s.most = max(s.most, v)
	s.n++
	s.buckets[bucketOf(v)]++
}

func (s *sketch) merge(o *sketch) {
	if o.n == 0 {
		return
	}
	if s.n == 0 || o.least < s.least {
		s.least = o.least
	}
	s.most = max(s.most, o.most)
	s.n += o.n
	for i, c := range o.buckets {
		s.buckets[i] += c
	}
}

// quantile returns the value below which a share q of the values lies, nil when
// there is none.
func (s *sketch) quantile(q float64) *float64 {
	if s.n == 0 {
		return nil
	}
	rank := int64(math.Ceil(q * float64(s.n)))
	var seen int64
	for i, c := range s.buckets {
		if seen += int64(c); seen >= rank {
			middle := sketchLeast * math.Exp2((float64(i)+0.5)/sketchSteps)
			v := min(max(middle, s.least), s.most)
			return &v
		}
	}
	return &s.most
}

func bucketOf(v float64) int {
	i := int(math.Floor(math.Log2(v/sketchLeast) * sketchSteps))
	return min(max(i, 0), sketchBuckets-1)
}
