package report

import "slices"

// byLength adds the families up, line by line. It returns nil unless there are several families,
// all with the same lengths: sums over other families at each length would show the families, and
// not the effect of the length. The rows of the families must be in order; see family.finish.
func byLength(families []*family, complete bool) []Line {
	if len(families) < 2 || len(families[0].rows) < 2 {
		return nil
	}
	first := families[0].rows
	for _, f := range families[1:] {
		if !slices.EqualFunc(first, f.rows, sameLengths) {
			return nil
		}
	}
	var lines []Line
	for i, r := range first {
		all, planned := new(cell), new(int64)
		for _, f := range families {
			all.merge(&f.rows[i].cell)
			if p := f.rows[i].planned; p == nil || planned == nil {
				planned = nil
			} else {
				*planned += *p
			}
		}
		line := all.finish(plannedOf(planned, all, complete))
		line.Length, line.Lengths = r.label, r.lengths
		lines = append(lines, line)
	}
	return lines
}

func sameLengths(a, b *row) bool {
	if a.lengths == nil || b.lengths == nil {
		return a.lengths == b.lengths && a.label == b.label
	}
	return *a.lengths == *b.lengths
}
