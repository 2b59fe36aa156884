package horizon

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"

	"verbatim/internal/stats"
)

// FitTasks estimates one horizon for several tasks, each with its counts by length, which
// must be lengths of the model. L50 is the horizon of the pooled counts (see Fit).
//
// The interval, Above and Below come from a cluster bootstrap of tasks (Davison and
// Hinkley 1997, Bootstrap Methods and their Application, 3.8): as many tasks as there are,
// drawn with replacement, pooled and fitted, resamples times. The posterior of pooled
// counts would be too narrow by a factor of two to five on published results, because
// answers to one task say little about another. A thousand resamples leave the ends of the
// interval uncertain by about a fiftieth of its width.
//
// Tasks without answers are left out. The same seed gives the same estimate. It is an
// error if resamples is below 1 or fewer than two tasks have answers. Invalid counts give
// a *BadValue, with the index in their task; a length that the model does not have gives one
// with the index among the counts of all tasks.
func (m *Model) FitTasks(tasks [][]Counts, resamples int, seed uint64) (*Estimate, error) {
	if resamples < 1 {
		return nil, errors.New("horizon: the interval of a horizon needs at least one resample")
	}
	pooled, err := pool(tasks)
	if err != nil {
		return nil, err
	}
	f, err := m.Fit(pooled)
	if err != nil {
		return nil, err
	}
	tallies := m.tallies(tasks)
	if len(tallies) < 2 {
		return nil, errors.New("horizon: the interval of a horizon over tasks needs at least two tasks with answers")
	}
	medians := m.resample(tallies, resamples, rand.New(rand.NewPCG(seed, 0)))
	slices.Sort(medians)
	estimate := f.Estimate()
	estimate.Interval = stats.Interval{Low: stats.Quantile(medians, 0.025), High: stats.Quantile(medians, 0.975)}
	estimate.Above, estimate.Below, estimate.Never = 0, 0, 0
	for _, l := range medians {
		if l == 0 {
			estimate.Never++
		}
		switch {
		case l >= float64(estimate.Longest)*(1-tolerance):
			estimate.Above++
		case l < float64(estimate.Shortest)*(1-tolerance):
			estimate.Below++
		}
	}
	estimate.Above /= float64(resamples)
	estimate.Below /= float64(resamples)
	estimate.Never /= float64(resamples)
	return &estimate, nil
}

// pool lists the counts of all tasks and rejects invalid ones.
func pool(tasks [][]Counts) ([]Counts, error) {
	var all []Counts
	for _, counts := range tasks {
		for i, c := range counts {
			if err := c.check(i); err != nil {
				return nil, err
			}
		}
		all = append(all, counts...)
	}
	return all, nil
}

// tallies counts the answers of every task that has any.
func (m *Model) tallies(tasks [][]Counts) []tally {
	var out []tally
	for _, counts := range tasks {
		t, answered := m.tally(), false
		for _, c := range counts {
			if c.N > 0 {
				l, _ := slices.BinarySearch(m.lengths, c.Length)
				t.add(l, c)
				answered = true
			}
		}
		if answered {
			out = append(out, t)
		}
	}
	return out
}

// resample returns the horizons of n pools of as many tasks, drawn with replacement.
func (m *Model) resample(tasks []tally, n int, r *rand.Rand) []float64 {
	climb := m.newHillClimb()
	climb.tally.setSum(tasks...)
	var start point // the best of all floors
	for floor := range m.grid.floors {
		climb.median(point{slope: len(m.grid.slopes) / 2, theta: m.grid.thetas / 2, floor: floor})
		if floor == 0 || climb.best.log > start.log {
			start = climb.best
		}
	}
	medians := make([]float64, n)
	drawn := make([]tally, len(tasks))
	// If tasks are few or equal, most resamples have the same sum.
	known := map[string]float64{}
	var key []byte
	for i := range medians {
		for j := range drawn {
			drawn[j] = tasks[r.IntN(len(tasks))]
		}
		climb.tally.setSum(drawn...)
		key = climb.tally.appendKey(key[:0])
		median, ok := known[string(key)]
		if !ok {
			median = climb.median(start)
			known[string(key)] = median
		}
		medians[i] = median
	}
	return medians
}

// appendKey appends bytes that are the same for equal tallies only. All and right answers
// determine the wrong ones.
func (t *tally) appendKey(b []byte) []byte {
	for l := range t.all {
		b = binary.AppendUvarint(b, uint64(t.all[l]))
		b = binary.AppendUvarint(b, uint64(t.right[l]))
	}
	return b
}

// setSum sets t to the sum of parts.
func (t *tally) setSum(parts ...tally) {
	t.sum = 0
	clear(t.all)
	clear(t.right)
	clear(t.wrong)
	for _, p := range parts {
		t.sum += p.sum
		for l := range t.all {
			t.all[l] += p.all[l]
			t.right[l] += p.right[l]
			t.wrong[l] += p.wrong[l]
		}
	}
}
