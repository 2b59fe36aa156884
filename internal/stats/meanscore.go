package stats

import "math"

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
