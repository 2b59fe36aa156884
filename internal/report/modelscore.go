package report

import "verbatim/internal/stats"

// modelScore is Family.ModelScore of lines.
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
	mean, ok, err := stats.LengthWeighted(lengths, scores)
	if !ok || err != nil { // a length of 0 has no weight
		return nil
	}
	return &mean
}

// meanModelScore is Block.ModelScore of families; nil where none has one.
func meanModelScore(families []Family) *float64 {
	var sum exactSum
	n := 0
	for i := range families {
		if v := families[i].ModelScore; v != nil {
			sum.add(*v)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	mean := sum.value() / float64(n)
	return &mean
}
