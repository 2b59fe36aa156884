package report

import (
	"verbatim/internal/stats"
)

// modelScore returns Family.ModelScore, given the lines of the family.
func modelScore(lines []Line) *float64 {
	var lengths []int
	var scores []float64
	for i := range lines {
		l := &lines[i]
		if l.Lengths == nil || l.Lengths.Min != l.Lengths.Max || l.Score.Value == nil {
			return nil
		}
		lengths, scores = append(lengths, l.Lengths.Min), append(scores, *l.Score.Value)
	}
	return lengthWeighted(lengths, scores)
}

// lengthWeighted is stats.LengthWeighted. It is nil without such a mean, for example because a
// length is 0.
func lengthWeighted(lengths []int, scores []float64) *float64 {
	mean, ok, err := stats.LengthWeighted(lengths, scores)
	if !ok || err != nil {
		return nil
	}
	return &mean
}

// meanModelScore returns the mean of the model scores of families; nil if no family has one.
func meanModelScore(families []Family) *float64 {
	var sum stats.ExactSum
	n := 0
	for i := range families {
		if v := families[i].ModelScore; v != nil {
			sum.Add(*v)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	mean := sum.Value() / float64(n)
	return &mean
}
