package verdict

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"verbatim/internal/listsort"
	"verbatim/internal/stats/horizon"
)

// A HorizonCache keeps horizons for comparisons that share a run. Estimating them takes
// most of the time of a comparison, and equal counts have equal horizons. The zero value
// is ready. It is safe for concurrent use. It grows with the number of tasks and runs.
type HorizonCache struct {
	mu       sync.Mutex
	models   map[string]func() (*horizon.Model, error)    // by the lengths
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

// model makes a model once for all counts at the same lengths: it costs as much as fitting
// thirty.
func (k *HorizonCache) model(counts []horizon.Counts) (*horizon.Model, error) {
	var key strings.Builder
	for _, c := range counts {
		fmt.Fprintf(&key, "%d ", c.Length)
	}
	return once(k, &k.models, key.String(), func() (*horizon.Model, error) { return horizon.NewModel(counts) })
}

// fit sets the horizon of one task; nothing if it has one length only.
func (k *HorizonCache) fit(to **Horizon, counts []horizon.Counts) error {
	if len(counts) < 2 {
		return nil
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
		l := f.Estimate()
		return &l, nil
	})
	if err != nil {
		return err
	}
	*to = newHorizon(found, false)
	return nil
}

// overall sets the horizon of a single task, or of several tasks with the same lengths.
func (k *HorizonCache) overall(to **Horizon, curves []taskCounts, resamples int, seed uint64) error {
	if len(curves) == 1 {
		return k.fit(to, curves[0].counts)
	}
	// Tasks are sorted by name, so that the interval does not depend on their order.
	listsort.Stable(curves, func(x, y taskCounts) int { return cmp.Compare(x.task, y.task) })
	tasks := make([][]horizon.Counts, len(curves))
	for i, c := range curves {
		tasks[i] = c.counts
	}
	if !sameLengths(tasks) {
		return nil
	}
	found, err := once(k, &k.overalls, fmt.Sprint(tasks, resamples, seed), func() (*horizon.Estimate, error) {
		model, err := k.model(tasks[0])
		if err != nil {
			return nil, err
		}
		return model.FitTasks(tasks, resamples, seed)
	})
	if err != nil {
		return err
	}
	*to = newHorizon(found, true)
	return nil
}

// taskCounts are the counts of right answers of one run, by length, for one task.
type taskCounts struct {
	task   string
	counts []horizon.Counts
}

// newHorizon makes a Horizon of an estimate.
func newHorizon(l *horizon.Estimate, resampled bool) *Horizon {
	return &Horizon{Text: l.String(), Length: l.L50, Range: RangeOf(l.Interval), Above: l.Above, Below: l.Below, Never: l.Never, Resampled: resampled}
}

// sameLengths reports whether all tasks have the same lengths, at least two. Pooled counts
// of different lengths would mostly describe the tasks with long items.
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
