package horizon

import (
	"sort"

	"verbatim/internal/stats"
)

// A Longest is the longest length at which a share of right answers is reached. A length of
// 0 means that it is reached at no length of the range.
type Longest struct {
	Length    int // by the expected curve
	Low, High int // by the lower and by the upper end of its pointwise 95 % band
}

// Longest returns the longest length, from shortest to longest, at which the expected share
// of right answers is at least share. A shortest below 1 gives a *BadValue.
func (f *Posterior) Longest(share float64, shortest, longest int) (l Longest, err error) {
	if _, _, err := f.Curve(shortest); err != nil {
		return Longest{}, err
	}
	type point struct {
		share float64
		band  stats.Interval
	}
	points := map[int]point{} // the three searches meet at many lengths
	search := func(at func(share float64, band stats.Interval) float64) int {
		// Shares fall with the length, so that a binary search finds the first below.
		return shortest - 1 + sort.Search(longest-shortest+1, func(i int) bool {
			p, known := points[i]
			if !known {
				p.share, p.band, _ = f.Curve(shortest + i) // shortest is a length, so that longer ones are
				points[i] = p
			}
			return at(p.share, p.band) < share
		})
	}
	l = Longest{
		Length: search(func(expected float64, _ stats.Interval) float64 { return expected }),
		Low:    search(func(_ float64, band stats.Interval) float64 { return band.Low }),
		High:   search(func(_ float64, band stats.Interval) float64 { return band.High }),
	}
	for _, n := range []*int{&l.Length, &l.Low, &l.High} {
		if *n < shortest {
			*n = 0
		}
	}
	return l, nil
}
