package verdict

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/stats/horizon"
)

// A curve is how many answers of one side are right at every length of a task.
type taskCounts struct {
	task   string
	counts []horizon.Counts
}

// limits finds for both sides where half of the answers are right: of every
// family with two lengths or more, and over all families where they were asked the
// same lengths. Where an item was repeated it counts once, with the share of its
// answers that are right. Without resamples there are none.
func (f *comparer) horizons(c *Comparison) error {
	if f.o.Resamples == 0 {
		return nil
	}
	known := f.o.Horizons
	if known == nil {
		known = new(HorizonCache)
	}
	for _, curve := range f.taskCounts(0) { // those of the other side have the same lengths
		if len(curve.counts) > 1 {
			if _, err := known.model(curve.counts); err != nil {
				return err
			}
		}
	}
	var sides errgroup.Group // most of a comparison's time is spent here
	for side, whole := range []*SideResult{&c.A.SideResult, &c.B.SideResult} {
		sides.Go(func() error { return f.sideHorizons(side, whole, c.Families, known) })
	}
	return sides.Wait()
}

// limitsOf finds the limits of one side.
func (f *comparer) sideHorizons(side int, whole *SideResult, families []Row, known *HorizonCache) error {
	curves := f.taskCounts(side)
	for i := range families { // in the same order
		part := &families[i].A
		if side == 1 {
			part = &families[i].B
		}
		if err := known.fit(&part.Horizon, curves[i].counts); err != nil {
			return err
		}
	}
	return known.overall(&whole.Horizon, curves, f.o)
}

// curves lists those of one side, of the families that have an item.
func (f *comparer) taskCounts(side int) []taskCounts {
	var list []taskCounts
	for i, b := range f.families {
		if b.items > 0 {
			list = append(list, taskCounts{f.grid.families[i], f.counts(i, side)})
		}
	}
	return list
}

// counts lists a family's lengths with how many answers are right. Bands of
// lengths have no place on the scale, and nor have names that are no numbers; more
// lengths than make a table would take a model of as many columns.
func (f *comparer) counts(family, side int) []horizon.Counts {
	var list []horizon.Counts
	for i, b := range f.cells {
		s := f.grid.cells[i]
		if s.family != family || s.length < 0 || b.items == 0 {
			continue
		}
		l := f.grid.lengths[s.length].span
		if l == nil || l.Min != l.Max || l.Min < 1 {
			return nil
		}
		list = append(list, horizon.Counts{Length: l.Min, Right: int64(math.Round(b.sides[side].rightSum)), N: b.items})
	}
	if len(list) > maxLengths {
		return nil
	}
	slices.SortFunc(list, func(x, y horizon.Counts) int { return cmp.Compare(x.Length, y.Length) })
	return list
}

func newHorizon(l *horizon.Estimate, resampled bool) *Horizon {
	return &Horizon{Text: l.String(), Length: l.L50, Range: RangeOf(l.Interval), Above: l.Above, Below: l.Below, Resampled: resampled}
}

// alikeLengths reports whether all tasks were asked the same lengths, two at least:
// pooled, others would make a limit of the tasks that happen to be long.
func sameLengths(tasks [][]horizon.Counts) bool {
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
