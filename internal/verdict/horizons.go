package verdict

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"
	"verbatim/internal/stats/horizon"
)

// horizons estimates the horizons of both runs: of every family with two lengths or more,
// and over all families if these have the same lengths. A repeated item counts once, with
// its share of right answers. Without resamples there are no horizons.
func (f *comparer) horizons(c *Comparison) error {
	if f.o.Resamples == 0 {
		return nil
	}
	cache := cmp.Or(f.o.Horizons, new(HorizonCache))
	for _, task := range f.taskCounts(0) { // the other run has the same lengths
		if len(task.counts) > 1 {
			if _, err := cache.model(task.counts); err != nil {
				return err
			}
		}
	}
	var sides errgroup.Group // most of the time of a comparison is spent here
	for side, total := range []*SideResult{&c.A.SideResult, &c.B.SideResult} {
		sides.Go(func() error { return f.sideHorizons(side, total, c.Families, cache) })
	}
	return sides.Wait()
}

// sideHorizons estimates the horizons of one run, and sets those of its total and of the rows
// of its families.
func (f *comparer) sideHorizons(side int, total *SideResult, families []Row, cache *HorizonCache) (err error) {
	tasks := f.taskCounts(side)
	for i := range families { // in the order of the counts
		r := []*SideResult{&families[i].A, &families[i].B}[side]
		if r.Horizon, err = cache.fit(tasks[i].counts); err != nil {
			return err
		}
	}
	total.Horizon, err = cache.overall(tasks, f.o.Resamples, f.o.Seed)
	return err
}

// taskCounts lists the counts of one run for the families that have items.
func (f *comparer) taskCounts(side int) []taskCounts {
	var list []taskCounts
	for i, g := range f.families {
		if g.items > 0 {
			list = append(list, taskCounts{f.grid.families[i], f.counts(i, side)})
		}
	}
	return list
}

// counts lists the counts of a family in rising order of the lengths. It is nil if there are
// too many lengths, or if one of them is a band or not a number.
func (f *comparer) counts(family, side int) []horizon.Counts {
	var list []horizon.Counts
	for i, g := range f.cells {
		at := f.grid.cells[i]
		if at.family != family || at.length < 0 || g.items == 0 {
			continue
		}
		l := f.grid.lengths[at.length].span
		if l == nil || l.Min != l.Max || l.Min < 1 {
			return nil
		}
		list = append(list, horizon.Counts{Length: l.Min, Right: int64(math.Round(g.sides[side].rightSum)), N: g.items})
	}
	if len(list) > maxLengths {
		return nil
	}
	slices.SortStableFunc(list, func(x, y horizon.Counts) int { return cmp.Compare(x.Length, y.Length) })
	return list
}
