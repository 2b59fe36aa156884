package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"verbatim/internal/stats/horizon"
)

// Limits keeps what was found of lengths at which half of the answers are right, for
// comparisons that share a run or the counts of a task: finding them takes most of a
// comparison's time, and the same counts have the same limits. The zero value is
// empty and ready. It is safe for concurrent use; what it keeps grows with the number
// of tasks and runs.
type HorizonCache struct {
	mu       sync.Mutex
	models   map[string]func() (*horizon.Model, error)    // by the lengths
	fits     map[string]func() (*horizon.Estimate, error) // by the counts of a task
	overalls map[string]func() (*horizon.Estimate, error) // by those of several
}

// once returns what was computed for the key before, or computes it: others who ask
// for it meanwhile wait.
func once[T any](k *HorizonCache, known *map[string]func() (T, error), key string, compute func() (T, error)) (T, error) {
	k.mu.Lock()
	if *known == nil {
		*known = make(map[string]func() (T, error))
	}
	get := (*known)[key]
	if get == nil {
		get = sync.OnceValues(compute) // by the first who asks
		(*known)[key] = get
	}
	k.mu.Unlock()
	return get()
}

// model makes a model of lengths once for all curves over them: making one costs as
// much as fitting thirty.
func (k *HorizonCache) model(counts []horizon.Counts) (*horizon.Model, error) {
	var key strings.Builder
	for _, c := range counts {
		fmt.Fprintf(&key, "%d ", c.Length)
	}
	return once(k, &k.models, key.String(), func() (*horizon.Model, error) { return horizon.NewModel(counts) })
}

// fit finds the limit of one task; none where it was asked at one length.
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

// overall finds the limit of a single task, or of several that share their lengths.
func (k *HorizonCache) overall(to **Horizon, curves []taskCounts, o *Options) error {
	if len(curves) == 1 {
		return k.fit(to, curves[0].counts)
	}
	// Draws go by place: in the order of their names tasks give the same interval,
	// whichever of them was asked first.
	slices.SortFunc(curves, func(x, y taskCounts) int { return cmp.Compare(x.task, y.task) })
	tasks := make([][]horizon.Counts, len(curves))
	for i, c := range curves {
		tasks[i] = c.counts
	}
	if !sameLengths(tasks) {
		return nil
	}
	found, err := once(k, &k.overalls, fmt.Sprint(tasks, o.Resamples, o.Seed), func() (*horizon.Estimate, error) {
		model, err := k.model(tasks[0])
		if err != nil {
			return nil, err
		}
		return model.FitTasks(tasks, o.Resamples, o.Seed)
	})
	if err != nil {
		return err
	}
	*to = newHorizon(found, true)
	return nil
}
