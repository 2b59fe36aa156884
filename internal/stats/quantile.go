package stats

import (
	"math"
)

// Quantile returns the quantile p, from 0 to 1, of sorted values by linear interpolation between
// them (Hyndman and Fan 1996, The American Statistician 50:361–365, definition 7). There must be a
// value.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

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

// ScoreSums are sums of scores for the interval of their mean. The scores of one item are a
// cluster.
type ScoreSums struct {
	Items, Scores int64
	Mean          float64
	// Squares is the sum over items of the square of (sum of the scores of the item − Mean ×
	// their number).
	Squares float64
}

// Interval returns the interval of the mean on fresh items, for scores between 0 and 1. It is
// Wilson's, with the number of independent right-or-wrong answers that vary as much:
// Mean·(1−Mean)/V, and at least the number of items. V is the linearised variance of a mean
// of clusters (Cochran 1977, Sampling Techniques, 3rd ed., section 9A.2). Half an item with
// score 0 and half an item with score 1 are added to V, as to the posterior of a mean
// difference. Without them, equal scores would have an interval without width. For scores
// of 0 and 1 of one trial it is Wilson's interval of their share.
//
// ok is false in these cases: an item without a score, or no item; a mean outside 0 to 1;
// negative Squares; a confidence that is not between 0 and 1.
func (s ScoreSums) Interval(confidence float64) (i Interval, ok bool) {
	switch {
	case s.Items < 1 || s.Scores < s.Items,
		!(s.Mean >= 0 && s.Mean <= 1),
		!(s.Squares >= 0),
		!(confidence > 0 && confidence < 1):
		return Interval{}, false
	}
	items, scores := float64(s.Items), float64(s.Scores)
	effective, spread := items, s.Mean*(1-s.Mean)
	if s.Items > 1 {
		each := scores / items
		squares := s.Squares*items/(items-1) + each*each*(s.Mean*s.Mean+(1-s.Mean)*(1-s.Mean))/2
		effective = max(spread*scores*scores/squares, items)
	}
	i.Low, i.High = wilsonShare(s.Mean, effective, confidence)
	return i, true
}

// ItemScores collects scores by item, for the interval of their mean. The zero value is
// ready.
type ItemScores struct {
	counts    ItemCounts // sums of scores, rounded to whole numbers
	fractions bool       // a score is neither 0 nor 1
	squares   float64    // sum over items of (sum of the scores)²
	products  float64    // sum over items of (sum of the scores) × their number
}

// Add takes in one item: the sum of its scores, and their number, at least 1. fractions
// says whether one of them is neither 0 nor 1.
func (s *ItemScores) Add(sum float64, scores int64, fractions bool) {
	s.AddTimes(1, sum, scores, fractions)
}

// AddTimes takes in several items with the same scores.
func (s *ItemScores) AddTimes(items int64, sum float64, scores int64, fractions bool) {
	s.counts.addTimes(items, int64(math.Round(sum)), scores)
	s.fractions = s.fractions || fractions
	s.squares += float64(items) * (sum * sum)
	s.products += float64(items) * (sum * float64(scores))
}

// Interval returns the interval of the mean: by ItemCounts if all scores are 0 or 1,
// otherwise by ScoreSums. ok is false without items, and if the method has no interval.
func (s *ItemScores) Interval(mean, confidence float64) (i Interval, ok bool) {
	if s.counts.Items == 0 {
		return i, false
	}
	if !s.fractions {
		i.Low, i.High = s.counts.Interval(mean, confidence)
		return i, !math.IsNaN(i.Low)
	}
	squares := max(s.squares-2*mean*s.products+mean*mean*float64(s.counts.answerSquares), 0)
	return ScoreSums{Items: s.counts.Items, Scores: s.counts.Answers, Mean: mean, Squares: squares}.Interval(confidence)
}
