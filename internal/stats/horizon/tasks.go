package horizon

import (
	"errors"
	"math/rand/v2"
	"slices"

	"verbatim/internal/stats"
)

// FitTasks finds one limit for several tasks together, each with its counts by
// length. L50 is that of the pooled counts (see Fit). Answers of one task tell
// little about another, which the posterior of pooled counts does not know: it is
// too narrow by a factor of two to five on published results. So the interval, Above
// and Below are those of resampled tasks (cluster bootstrap; Davison and Hinkley
// 1997, Bootstrap Methods and their Application, 3.8): as many tasks as there are,
// drawn with replacement, pooled and fitted again, resamples times. A thousand
// resamples leave the ends of the interval uncertain by about a fiftieth of its width.
//
// Tasks without answers are left out. The same seed gives the same limit. It is an
// error if resamples is below 1 or fewer than two tasks have answers, and a *BadValue,
// with the place in its task's counts, where Fit would refuse the counts.
func FitTasks(tasks [][]Counts, resamples int, seed uint64) (*Estimate, error) {
	pooled, err := pool(tasks)
	if err != nil {
		return nil, err
	}
	m, err := NewModel(pooled)
	if err != nil {
		return nil, err
	}
	return m.FitTasks(tasks, resamples, seed)
}

// FitTasks is FitTasks of tasks whose lengths are among those of the model. It
// refuses what FitTasks refuses, and other lengths.
func (m *Model) FitTasks(tasks [][]Counts, resamples int, seed uint64) (*Estimate, error) {
	if resamples < 1 {
		return nil, errors.New("stats: the interval of a limit needs at least one resample")
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
		return nil, errors.New("stats: the interval of a limit over tasks needs at least two tasks with answers")
	}
	medians := m.resample(tallies, resamples, rand.New(rand.NewPCG(seed, 0)))
	slices.Sort(medians)
	limit := f.Estimate()
	limit.Interval = stats.Interval{Low: quantileOf(medians, 0.025), High: quantileOf(medians, 0.975)}
	limit.Above, limit.Below = 0, 0
	for _, l := range medians {
		switch {
		case l >= float64(limit.Longest)*(1-tolerance):
			limit.Above++
		case l < float64(limit.Shortest)*(1-tolerance):
			limit.Below++
		}
	}
	limit.Above /= float64(resamples)
	limit.Below /= float64(resamples)
	return &limit, nil
}

// pool lists the counts of all tasks, refusing those that cannot be.
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

// resample returns the limits of n pools of as many tasks, drawn with replacement.
func (m *Model) resample(tasks []tally, n int, r *rand.Rand) []float64 {
	climb := m.newHillClimb()
	climb.tally.pour(tasks...)
	climb.median(point{slope: len(m.grid.slopes) / 2, theta: m.grid.thetas / 2})
	whole := climb.best
	medians := make([]float64, n)
	drawn := make([]tally, len(tasks))
	for i := range medians {
		for j := range drawn {
			drawn[j] = tasks[r.IntN(len(tasks))]
		}
		climb.tally.pour(drawn...)
		medians[i] = climb.median(whole)
	}
	return medians
}

// pour makes t the sum of parts.
func (t *tally) pour(parts ...tally) {
	t.right = 0
	clear(t.all)
	clear(t.wrong)
	for _, p := range parts {
		t.right += p.right
		for l := range t.all {
			t.all[l] += p.all[l]
			t.wrong[l] += p.wrong[l]
		}
	}
}

// quantileOf is the p-quantile of rising values, between two neighbours in
// proportion (Hyndman and Fan 1996, The American Statistician 50:361–365, type 7).
func quantileOf(x []float64, p float64) float64 {
	at := p * float64(len(x)-1)
	i := min(int(at), len(x)-1)
	j := min(i+1, len(x)-1)
	return x[i] + (at-float64(i))*(x[j]-x[i])
}
