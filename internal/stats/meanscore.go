package stats

import "math"

// ScoreSums are the sums of scores that the interval of their mean needs. Scores of one item
// are a cluster.
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
// score 0 and half an item with score 1 are added to it, as to the posterior
// of a mean difference, so that equal scores do not give an interval without width. For
// scores of 0 and 1 of one trial it is Wilson's interval of their share.
//
// ok is false for no scores, a mean outside 0 to 1 and a confidence outside it.
func (s ScoreSums) Interval(confidence float64) (i Interval, ok bool) {
	if s.Items < 1 || s.Scores < s.Items || !(s.Mean >= 0 && s.Mean <= 1 && s.Squares >= 0 && confidence > 0 && confidence < 1) {
		return Interval{}, false
	}
	items, scores := float64(s.Items), float64(s.Scores)
	effective, spread := items, s.Mean*(1-s.Mean)
	if s.Items > 1 {
		each := scores / items
		squares := s.Squares*items/(items-1) + each*each*(s.Mean*s.Mean+(1-s.Mean)*(1-s.Mean))/2
		effective = max(spread*scores*scores/squares, items)
	}
	// Rounding depends on the order of sums.
	i.Low, i.High = WilsonShare(s.Mean, math.Round(effective*1e6)/1e6, confidence)
	return i, true
}

// ItemScores collects scores by item, for the interval of their mean.
type ItemScores struct {
	counts            ItemCounts // of scores as whole numbers
	fractions         bool
	squares, products float64
}

// Add takes in the sum of the scores of an item and their number. fractions says whether
// one of them is neither 0 nor 1.
func (s *ItemScores) Add(sum float64, scores int64, fractions bool) {
	s.counts.Add(int64(math.Round(sum)), scores)
	s.fractions = s.fractions || fractions
	s.squares += sum * sum
	s.products += sum * float64(scores)
}

// Interval is that of the mean: by ItemCounts if all scores are 0 or 1, otherwise by
// ScoreSums. ok is false where these have none.
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
