package verdict

import (
	"math"

	"verbatim/internal/stats"
)

// limits finds for both sides where half of the answers are right: of every
// family with two lengths or more, and over all families where they were asked the
// same lengths. Where an item was repeated it counts once, with the share of its
// answers that are right.
func (f *fold) limits(c *Comparison) error {
	parts := [2]*Part{&c.A.Part, &c.B.Part}
	for side := range parts {
		var tasks [][]stats.Counts
		row := 0
		for i, b := range f.families {
			if b.items == 0 {
				continue
			}
			counts := f.counts(i, side)
			tasks = append(tasks, counts)
			if row >= len(c.Families) { // a single family has no row
				continue
			}
			part := &c.Families[row].A
			if side == 1 {
				part = &c.Families[row].B
			}
			row++
			if err := fitted(&part.Limit, counts); err != nil {
				return err
			}
		}
		if len(tasks) == 1 {
			if err := fitted(&parts[side].Limit, tasks[0]); err != nil {
				return err
			}
		} else if len(tasks) > 1 && alikeLengths(tasks) {
			l, err := stats.LimitByTask(tasks, f.o.Resamples, f.o.Seed)
			if err != nil {
				return err
			}
			parts[side].Limit = limit(l, true)
		}
	}
	return nil
}

// counts lists a family's lengths with how many answers are right. Bands of
// lengths have no place on the scale, and nor have names that are no numbers.
func (f *fold) counts(family, side int) []stats.Counts {
	var list []stats.Counts
	for i, b := range f.cells {
		s := f.grid.spots[i]
		if s.family != family || s.length < 0 || b.items == 0 {
			continue
		}
		l := f.grid.lengths[s.length].span
		if l == nil || l.Min != l.Max || l.Min < 1 {
			return nil
		}
		list = append(list, stats.Counts{Length: l.Min, Right: int64(math.Round(b.arms[side].share)), N: b.items})
	}
	return list
}

func fitted(to **Limit, counts []stats.Counts) error {
	if len(counts) < 2 {
		return nil
	}
	l, err := stats.FitLimit(counts)
	if err != nil {
		return err
	}
	*to = limit(l, false)
	return nil
}

func limit(l *stats.Limit, resampled bool) *Limit {
	return &Limit{Text: l.String(), Length: l.L50, Range: Range{l.Interval.Low, l.Interval.High}, Above: l.Above, Below: l.Below, Resampled: resampled}
}

// alikeLengths reports whether all tasks were asked the same lengths, two at least:
// pooled, others would make a limit of the tasks that happen to be long.
func alikeLengths(tasks [][]stats.Counts) bool {
	first := make(map[int]bool)
	for _, c := range tasks[0] {
		first[c.Length] = true
	}
	for _, t := range tasks {
		if len(t) != len(first) {
			return false
		}
		for _, c := range t {
			if !first[c.Length] {
				return false
			}
		}
	}
	return len(first) > 1
}
