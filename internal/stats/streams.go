package stats

import (
	"cmp"
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

// Items counts answers by item. It is made of lists, because a map of as many items takes twice
// the memory, and more while it grows. The zero value is ready.
//
// Runs send the items of one trial after the other, in the same order. So the answer after one to
// the item at a place of the list is mostly one to the item at the next place, and is found without
// a search.
type Items struct {
	// parts are sorted by key, with each key once in a part. A part is never changed, so that
	// several Items can share it.
	parts [][]ItemCount
	// pending are the counts in the order of the first answers. An item has several if its answers
	// come in another order.
	pending []ItemCount
	next    int // the place in pending after that of the last answer
	most    int // the length of pending at which items with several counts are looked for
}

// An ItemCount counts the answers to one item.
type ItemCount struct {
	Key                               uint64 // names the item
	Answers, Exact, Extracted, Scored int32
	Score                             float64 // sum of the scores
}

// ahead is the number of places at which Add looks for an item: some items have no answer in a trial.
const ahead = 8

// Add adds the count of answers to an item.
func (c *Items) Add(n ItemCount) {
	for i := max(c.next-1, 0); i < min(c.next+ahead, len(c.pending)); i++ {
		if c.pending[i].Key == n.Key {
			c.pending[i].plus(&n)
			c.next = i + 1
			return
		}
	}
	if len(c.pending) > 0 && c.pending[0].Key == n.Key { // the next trial begins
		c.pending[0].plus(&n)
		c.next = 1
		return
	}
	if len(c.pending) >= max(c.most, fewCounts) {
		c.dedupe()
	}
	c.pending = append(c.pending, n)
	if c.next == len(c.pending)-1 {
		c.next++
	}
}

const (
	// fewCounts is a length of pending that takes little memory.
	fewCounts = 1 << 14
	// growth is the number of times by which pending grows before it is searched again.
	growth = 4
)

// dedupe joins the pending counts of the same item, at the place of the first one.
func (c *Items) dedupe() {
	type place struct {
		key uint64
		at  int
	}
	places := make([]place, len(c.pending))
	for i := range c.pending {
		places[i] = place{c.pending[i].Key, i}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	first := 0
	for i := 1; i < len(places); i++ {
		if places[i].key != places[first].key {
			first = i
			continue
		}
		again := &c.pending[places[i].at]
		c.pending[places[first].at].plus(again)
		*again = ItemCount{} // an item has an answer
	}
	before := len(c.pending)
	c.pending = slices.DeleteFunc(c.pending, func(n ItemCount) bool { return n.Answers == 0 })
	if len(c.pending) < before {
		c.next = len(c.pending)
	}
	c.most = growth * len(c.pending)
}

func (n *ItemCount) plus(o *ItemCount) {
	n.Answers += o.Answers
	n.Exact += o.Exact
	n.Extracted += o.Extracted
	n.Scored += o.Scored
	n.Score += o.Score
}

// settle makes a part of the pending counts.
func (c *Items) settle() {
	if len(c.pending) == 0 {
		return
	}
	slices.SortFunc(c.pending, func(a, b ItemCount) int { return cmp.Compare(a.Key, b.Key) })
	end := 0
	for i := range c.pending[1:] {
		if n := &c.pending[i+1]; c.pending[end].Key == n.Key {
			c.pending[end].plus(n)
		} else {
			end++
			c.pending[end] = *n
		}
	}
	c.parts, c.pending, c.next = append(c.parts, c.pending[:end+1]), nil, 0
}

// Join merges all parts into one, which takes less memory and makes All fast.
func (c *Items) Join() {
	if all := c.All(); len(all) > 0 {
		c.parts = [][]ItemCount{all}
	}
}

// All returns the counts, one for each item, in the order of their keys.
func (c *Items) All() []ItemCount {
	c.settle()
	lists := c.parts
	for len(lists) > 1 {
		var half [][]ItemCount
		for ; len(lists) > 1; lists = lists[2:] {
			half = append(half, union(lists[0], lists[1]))
		}
		lists = append(half, lists...)
	}
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// union merges two sorted lists into a new one, in which each key is once.
func union(a, b []ItemCount) []ItemCount {
	n := len(a) // of keys in either list, to allocate no more
	for i, k := 0, 0; k < len(b); k++ {
		for i < len(a) && a[i].Key < b[k].Key {
			i++
		}
		if i == len(a) || a[i].Key != b[k].Key {
			n++
		}
	}
	all := make([]ItemCount, 0, n)
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0].Key, b[0].Key) {
		case -1:
			all, a = append(all, a[0]), a[1:]
		case 1:
			all, b = append(all, b[0]), b[1:]
		default:
			all = append(all, a[0])
			all[len(all)-1].plus(&b[0])
			a, b = a[1:], b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// Merge adds the counts of o. Both can count further answers.
func (c *Items) Merge(o *Items) {
	o.settle()
	c.parts = append(c.parts, o.parts...)
}

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
