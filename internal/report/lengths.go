package report

import (
	"slices"

	"verbatim"
)

// byLength adds up the families line by line. It returns nil unless there are
// several and all were asked the same lengths: sums over other families at each
// length would draw a curve of the families and not of the lengths. The families
// have been sealed, so that their spots are in order.
func byLength(families []*family, complete bool) []Line {
	if len(families) < 2 || len(families[0].spots) < 2 {
		return nil
	}
	first := families[0].spots
	for _, f := range families[1:] {
		if !slices.EqualFunc(first, f.spots, sameLengths) {
			return nil
		}
	}
	var lines []Line
	for i, s := range first {
		all := new(cell)
		var says *int64
		known := true
		for _, f := range families {
			all.merge(&f.spots[i].cell)
			if p := f.spots[i].planned; p != nil {
				says = plus(says, *p)
			} else {
				known = false
			}
		}
		if !known {
			says = nil
		}
		line := all.finish(plannedOf(says, all, complete))
		line.Length, line.Lengths = s.label, s.lengths
		lines = append(lines, line)
	}
	return lines
}

func sameLengths(a, b *spot) bool {
	return a.label == b.label && lengthsOf(a) == lengthsOf(b)
}

// lengthsOf returns the lengths of a spot, and none where they are not numbers.
func lengthsOf(s *spot) verbatim.Lengths {
	if s.lengths == nil {
		return verbatim.Lengths{}
	}
	return *s.lengths
}
