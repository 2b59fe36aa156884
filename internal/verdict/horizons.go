package verdict

import (
	"cmp"
	"math"

	"golang.org/x/sync/errgroup"
	"verbatim/internal/listsort"
	"verbatim/internal/stats/horizon"
)

// horizons estimates the horizons of both runs: of every family with two lengths or more,
// and over all families if these have the same lengths. A repeated item counts once, with
// its share of right answers. Without resamples there are no horizons.
func (f *comparer) horizons(c *Comparison) error {
	if f.o.Resamples == 0 {
		return nil
	}
	known := f.o.Horizons
	if known == nil {
		known = new(HorizonCache)
	}
	for _, curve := range f.taskCounts(0) { // the other run has the same lengths
		if len(curve.counts) > 1 {
			if _, err := known.model(curve.counts); err != nil {
				return err
			}
		}
	}
	var sides errgroup.Group // most of the time of a comparison is spent here
	for side, whole := range []*SideResult{&c.A.SideResult, &c.B.SideResult} {
		sides.Go(func() error { return f.sideHorizons(side, whole, c.Families, known) })
	}
	return sides.Wait()
}

// sideHorizons estimates the horizons of one run.
func (f *comparer) sideHorizons(side int, whole *SideResult, families []Row, known *HorizonCache) error {
	tasks := f.taskCounts(side)
	for i := range families { // in the order of the counts
		part := &families[i].A
		if side == 1 {
			part = &families[i].B
		}
		if err := known.fit(&part.Horizon, tasks[i].counts); err != nil {
			return err
		}
	}
	return known.overall(&whole.Horizon, tasks, f.o.Resamples, f.o.Seed)
}

// taskCounts lists the counts of one run for the families that have items.
func (f *comparer) taskCounts(side int) []taskCounts {
	var list []taskCounts
	for i, b := range f.families {
		if b.items > 0 {
			list = append(list, taskCounts{f.grid.families[i], f.counts(i, side)})
		}
	}
	return list
}

// counts lists the counts of a family by length; nil for bands of lengths, for names that
// are not numbers, and for too many lengths.
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
	listsort.Stable(list, func(x, y horizon.Counts) int { return cmp.Compare(x.Length, y.Length) })
	return list
}
