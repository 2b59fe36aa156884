package report

import (
	"slices"

	"verbatim"
	"verbatim/internal/stats"
	"verbatim/internal/stats/stream"
)

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
	return lengthWeighted(lengths, scores)
}

// lengthWeighted is stats.LengthWeighted; nil where there is no such mean, as where a
// length is 0 and has no weight.
func lengthWeighted(lengths []int, scores []float64) *float64 {
	mean, ok, err := stats.LengthWeighted(lengths, scores)
	if !ok || err != nil {
		return nil
	}
	return &mean
}

// modelScore is Block.ModelScore of what the fold has gathered: of families that were
// asked the same lengths by the scores of all of them, and else by sealed ones.
func (f *fold) modelScore(sealed []Family) *float64 {
	lengths := f.commonLengths()
	if lengths == nil {
		return meanModelScore(sealed)
	}
	var scores []float64
	for _, n := range lengths {
		var sum stream.ExactSum
		var of int64
		for _, fam := range f.order {
			c := &fam.spotOf(verbatim.Lengths{Min: n, Max: n}, fam.listed).cell
			sum.Merge(&c.scores)
			of += c.scored
		}
		if of == 0 {
			return nil
		}
		scores = append(scores, sum.Value()/float64(of))
	}
	return lengthWeighted(lengths, scores)
}

// commonLengths returns the lengths of all families, if every family has a line for
// each of them, with an answer, and no other line; else nil.
func (f *fold) commonLengths() []int {
	var common []int
	for i, fam := range f.order {
		var lengths []int
		for _, s := range fam.spots {
			if _, answered := s.cell.recorded(); s.lengths == nil || s.lengths.Min != s.lengths.Max || s.listed != fam.listed || answered == 0 {
				return nil
			}
			lengths = append(lengths, s.lengths.Min)
		}
		slices.Sort(lengths)
		if i > 0 && !slices.Equal(lengths, common) {
			return nil
		}
		common = lengths
	}
	return common
}

// meanModelScore is the mean of the model scores of families; nil where none has one.
func meanModelScore(families []Family) *float64 {
	var sum stream.ExactSum
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
