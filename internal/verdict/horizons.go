package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

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

// A HorizonCache keeps horizons for comparisons that share a run. Estimating them takes
// most of the time of a comparison, and equal counts have equal horizons. It grows with the
// number of tasks and runs. The zero value is ready to use, and safe for concurrent use.
type HorizonCache struct {
	mu       sync.Mutex
	models   map[string]func() (*horizon.Model, error)    // by lengths
	fits     map[string]func() (*horizon.Estimate, error) // by the counts of a task
	overalls map[string]func() (*horizon.Estimate, error) // by the counts of several tasks
}

// once returns the cached result for the key, or computes it. Concurrent callers wait.
func once[T any](k *HorizonCache, cache *map[string]func() (T, error), key string, compute func() (T, error)) (T, error) {
	k.mu.Lock()
	if *cache == nil {
		*cache = make(map[string]func() (T, error))
	}
	get := (*cache)[key]
	if get == nil {
		get = sync.OnceValues(compute) // computed by the first caller
		(*cache)[key] = get
	}
	k.mu.Unlock()
	return get()
}

// model makes one model for all counts at the same lengths: making a model takes as long as
// thirty fits.
func (k *HorizonCache) model(counts []horizon.Counts) (*horizon.Model, error) {
	var key strings.Builder
	for _, c := range counts {
		fmt.Fprintf(&key, "%d ", c.Length)
	}
	return once(k, &k.models, key.String(), func() (*horizon.Model, error) { return horizon.NewModel(counts) })
}

// fit returns the horizon of one task; nil if it has fewer than two lengths.
func (k *HorizonCache) fit(counts []horizon.Counts) (*Horizon, error) {
	if len(counts) < 2 {
		return nil, nil
	}
	found, err := once(k, &k.fits, fmt.Sprint(counts), func() (*horizon.Estimate, error) {
		model, err := k.model(counts)
		if err != nil {
			return nil, err
		}
		f, err := model.Fit(counts)
		if err != nil {
			return nil, err
		}
		return new(f.Estimate()), nil
	})
	if err != nil {
		return nil, err
	}
	return newHorizon(found, false), nil
}

// overall returns the horizon of a single task, or of several tasks with the same lengths;
// nil if their lengths differ, or are fewer than two.
func (k *HorizonCache) overall(curves []taskCounts, resamples int, seed uint64) (*Horizon, error) {
	if len(curves) == 1 {
		return k.fit(curves[0].counts)
	}
	// Tasks are sorted by name, so that the interval does not depend on their order.
	slices.SortStableFunc(curves, func(x, y taskCounts) int { return cmp.Compare(x.task, y.task) })
	tasks := make([][]horizon.Counts, len(curves))
	for i, c := range curves {
		tasks[i] = c.counts
	}
	if !sameLengths(tasks) {
		return nil, nil
	}
	found, err := once(k, &k.overalls, fmt.Sprint(tasks, resamples, seed), func() (*horizon.Estimate, error) {
		model, err := k.model(tasks[0])
		if err != nil {
			return nil, err
		}
		return model.FitTasks(tasks, resamples, seed)
	})
	if err != nil {
		return nil, err
	}
	return newHorizon(found, true), nil
}

// taskCounts are the counts of right answers of one run for one task.
type taskCounts struct {
	task   string
	counts []horizon.Counts // in rising order of the lengths
}

// newHorizon makes a Horizon of an estimate.
func newHorizon(l *horizon.Estimate, resampled bool) *Horizon {
	return &Horizon{Text: l.String(), Length: l.L50, Range: RangeOf(l.Interval), Above: l.Above, Below: l.Below, Never: l.Never, Resampled: resampled}
}

// sameLengths reports whether all tasks have the same lengths, at least two. Pooled counts
// of different lengths would mostly describe the tasks with long items.
func sameLengths(tasks [][]horizon.Counts) bool {
	for _, t := range tasks {
		if !slices.EqualFunc(t, tasks[0], func(x, y horizon.Counts) bool { return x.Length == y.Length }) {
			return false
		}
	}
	return len(tasks[0]) > 1
}
