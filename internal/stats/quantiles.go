package stats

import (
	"math"
	"slices"
)

// Quantiles are a histogram of positive numbers and zeros. The buckets grow by a constant
// factor. So quantiles have a relative error of at most 2.2 %, and the memory does not grow
// with the numbers. The zero value is ready.
type Quantiles struct {
	N       int64
	zeros   int64   // which have no bucket
	least   float64 // exact, and so is the quantile 0
	most    float64 // exact, and so is the quantile 1
	buckets [bucketCount]uint32
	few     *[ExactNumbers]float64 // the first numbers; nil: quantiles are never exact
}

// ExactNumbers is the number of values up to which the quantiles of NewExact are exact.
const ExactNumbers = 64

// NewExact returns Quantiles that are exact for few numbers: two replies with 148 tokens
// have the median 148.
func NewExact() *Quantiles { return &Quantiles{few: new([ExactNumbers]float64)} }

// note stores a number that is added, as long as there are few.
func (s *Quantiles) note(v float64) {
	if s.few != nil && s.N < ExactNumbers {
		s.few[s.N] = v
	}
}

const (
	leastValue  = 1e-6 // seconds; smaller values fall into the first bucket
	bucketSteps = 16   // buckets in a doubling
	bucketCount = 44 * bucketSteps
)

// A Bucketed number comes with its bucket. So the logarithm is computed once, however many
// Quantiles count the number.
type Bucketed struct {
	v  float64
	at int // index of the bucket; -1: the number is not counted
}

// Unbucketed is a number that is not counted.
var Unbucketed = Bucketed{at: -1}

// BucketOf returns v with its bucket. A v that is not positive and finite gives Unbucketed.
func BucketOf(v float64) Bucketed {
	if !(v > 0) || math.IsInf(v, 1) {
		return Unbucketed
	}
	i := int(math.Floor(math.Log2(v/leastValue) * bucketSteps))
	return Bucketed{v, min(max(i, 0), bucketCount-1)}
}

// Add counts a number.
func (s *Quantiles) Add(b Bucketed) {
	if b.at < 0 {
		return
	}
	if s.N == 0 || b.v < s.least {
		s.least = b.v
	}
	s.most = max(s.most, b.v)
	s.note(b.v)
	s.N++
	s.buckets[b.at]++
}

// AddZero counts a 0. BucketOf has no bucket for it, because a time of 0 is an unknown time;
// a number of tokens may be 0.
func (s *Quantiles) AddZero() {
	s.note(0)
	s.N++
	s.zeros++
	s.least = 0
}

// Merge adds the numbers that o counts. Both must come from NewExact, or neither.
func (s *Quantiles) Merge(o *Quantiles) {
	if o.N == 0 {
		return
	}
	if s.N == 0 || o.least < s.least {
		s.least = o.least
	}
	s.most = max(s.most, o.most)
	if s.few != nil && o.few != nil && s.N+o.N <= ExactNumbers {
		copy(s.few[s.N:], o.few[:o.N])
	}
	s.N += o.N
	s.zeros += o.zeros
	for i, c := range o.buckets {
		s.buckets[i] += c
	}
}

// Quantile returns the value below which a share q of the numbers is; nil without numbers.
func (s *Quantiles) Quantile(q float64) *float64 {
	if s.N == 0 {
		return nil
	}
	if q <= 0 || q >= 1 { // the ends are exact
		end := s.least
		if q >= 1 {
			end = s.most
		}
		return &end
	}
	rank := int64(math.Ceil(q * float64(s.N)))
	if s.few != nil && s.N <= ExactNumbers {
		few := *s.few
		slices.Sort(few[:s.N])
		if q == 0.5 && s.N%2 == 0 { // the median is between two numbers
			middle := (few[rank-1] + few[rank]) / 2
			return &middle
		}
		return &few[rank-1]
	}
	seen := s.zeros
	if rank <= seen {
		return new(float64)
	}
	for i, c := range s.buckets {
		if seen += int64(c); seen >= rank {
			middle := leastValue * math.Exp2((float64(i)+0.5)/bucketSteps)
			v := min(max(middle, s.least), s.most)
			return &v
		}
	}
	return &s.most
}
