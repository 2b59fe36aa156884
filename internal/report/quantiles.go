package report

import "math"

// A sketch is a histogram of positive numbers whose buckets grow by the same
// factor, so that its quantiles have a relative error that is bounded (2.2 %)
// and its size does not grow with what is put in. Sketches add up.
type sketch struct {
	n       int64
	none    int64   // numbers that are 0, which tokens may be
	least   float64 // exact, as are its quantiles at both ends
	most    float64
	buckets [sketchBuckets]uint32
}

const (
	sketchLeast   = 1e-6 // seconds; smaller values fall into the first bucket
	sketchSteps   = 16   // buckets in a doubling
	sketchBuckets = 44 * sketchSteps
)

// A bucketed number knows its bucket: a logarithm is taken once for all sketches that
// count it.
type bucketed struct {
	v  float64
	at int // -1: it is not counted
}

var unbucketed = bucketed{at: -1}

// bucketOf returns v with its bucket; what is not a positive number has none.
func bucketOf(v float64) bucketed {
	if !(v > 0) || math.IsInf(v, 1) {
		return unbucketed
	}
	i := int(math.Floor(math.Log2(v/sketchLeast) * sketchSteps))
	return bucketed{v, min(max(i, 0), sketchBuckets-1)}
}

// add counts a number.
func (s *sketch) add(b bucketed) {
	if b.at < 0 {
		return
	}
	if s.n == 0 || b.v < s.least {
		s.least = b.v
	}
	s.most = max(s.most, b.v)
	s.n++
	s.buckets[b.at]++
}

// addZero counts a 0, which has no bucket: among times it would stand for what is not
// known, among tokens it is a number like others.
func (s *sketch) addZero() {
	s.n++
	s.none++
	s.least = 0
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
	s.none += o.none
	for i, c := range o.buckets {
		s.buckets[i] += c
	}
}

// quantile returns the value below which a share q of the values lies, nil without
// any.
func (s *sketch) quantile(q float64) *float64 {
	if s.n == 0 {
		return nil
	}
	rank := int64(math.Ceil(q * float64(s.n)))
	seen := s.none
	if rank <= seen {
		return new(float64)
	}
	for i, c := range s.buckets {
		if seen += int64(c); seen >= rank {
			middle := sketchLeast * math.Exp2((float64(i)+0.5)/sketchSteps)
			v := min(max(middle, s.least), s.most)
			return &v
		}
	}
	return &s.most
}
