package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/stats"
)

// A curve is how many answers of one side are right at every length of a task.
type curve struct {
	task   string
	counts []stats.Counts
}

// A models makes a model of lengths once for all curves over them: making one
// costs as much as fitting thirty.
type models map[string]*stats.LimitModel

func (m models) of(counts []stats.Counts) (*stats.LimitModel, error) {
	var key strings.Builder
	for _, c := range counts {
		fmt.Fprintf(&key, "%d ", c.Length)
	}
	if known := m[key.String()]; known != nil {
		return known, nil
	}
	made, err := stats.NewLimitModel(counts)
	m[key.String()] = made
	return made, err
}

// limits finds for both sides where half of the answers are right: of every
// family with two lengths or more, and over all families where they were asked the
// same lengths. Where an item was repeated it counts once, with the share of its
// answers that are right.
func (f *fold) limits(c *Comparison) error {
	m := models{}
	for _, curve := range f.curves(0) { // those of the other side have the same lengths
		if len(curve.counts) > 1 {
			if _, err := m.of(curve.counts); err != nil {
				return err
			}
		}
	}
	var sides errgroup.Group // most of a comparison's time is spent here
	for side, whole := range []*Part{&c.A.Part, &c.B.Part} {
		sides.Go(func() error { return f.limitsOf(side, whole, c.Families, m) })
	}
	return sides.Wait()
}

// limitsOf finds the limits of one side.
func (f *fold) limitsOf(side int, whole *Part, families []Row, m models) error {
	curves := f.curves(side)
	for i := range families { // in the same order
		part := &families[i].A
		if side == 1 {
			part = &families[i].B
		}
		if err := m.fit(&part.Limit, curves[i].counts); err != nil {
			return err
		}
	}
	return m.overall(&whole.Limit, curves, f.o)
}

// curves lists those of one side, of the families that have an item.
func (f *fold) curves(side int) []curve {
	var list []curve
	for i, b := range f.families {
		if b.items > 0 {
			list = append(list, curve{f.grid.families[i], f.counts(i, side)})
		}
	}
	return list
}

// overall finds the limit of a single task, or of several that share their lengths.
func (m models) overall(to **Limit, curves []curve, o *Options) error {
	if len(curves) == 1 {
		return m.fit(to, curves[0].counts)
	}
	// Draws go by place: in the order of their names tasks give the same interval,
	// whichever of them was asked first.
	slices.SortFunc(curves, func(x, y curve) int { return cmp.Compare(x.task, y.task) })
	tasks := make([][]stats.Counts, len(curves))
	for i, c := range curves {
		tasks[i] = c.counts
	}
	if !alikeLengths(tasks) {
		return nil
	}
	model, err := m.of(tasks[0])
	if err != nil {
		return err
	}
	l, err := model.ByTask(tasks, o.Resamples, o.Seed)
	if err != nil {
		return err
	}
	*to = limit(l, true)
	return nil
}

// counts lists a family's lengths with how many answers are right. Bands of
// lengths have no place on the scale, and nor have names that are no numbers; more
// lengths than make a table would take a model of as many columns.
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
	if len(list) > mostLengths {
		return nil
	}
	slices.SortFunc(list, func(x, y stats.Counts) int { return cmp.Compare(x.Length, y.Length) })
	return list
}

// fit finds the limit of one task; none where it was asked at one length.
func (m models) fit(to **Limit, counts []stats.Counts) error {
	if len(counts) < 2 {
		return nil
	}
	model, err := m.of(counts)
	if err != nil {
		return err
	}
	f, err := model.Fit(counts)
	if err != nil {
		return err
	}
	l := f.Limit()
	*to = limit(&l, false)
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
