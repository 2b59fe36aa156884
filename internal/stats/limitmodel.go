package stats

import (
	"errors"
	"math"
	"slices"
)

// A LimitModel holds what depends on the lengths alone, so that many counts of the
// same lengths are fitted at a fraction of the cost of one; see FitLimit. It is not
// changed by fitting: several goroutines may use one.
type LimitModel struct {
	grid    *limitGrid
	lengths []int // rising
	tables  []limitTable
}

// A limitTable holds logarithms of the chances of answers of one length.
type limitTable struct {
	norm []float64 // log(1 + odds), for every slope and θ
	miss []float64 // log(lapse + odds), for every slope, θ and lapse rate
}

// errNoAnswers refuses counts without an answer.
var errNoAnswers = errors.New("stats: no answers: there is no limit to find")

// NewLimitModel returns the model for the lengths of counts that have answers. It
// refuses what FitLimit refuses.
func NewLimitModel(counts []Counts) (*LimitModel, error) {
	return newLimitModel(counts, 20, 20)
}

func newLimitModel(counts []Counts, steps, slopes int) (*LimitModel, error) {
	m := &LimitModel{}
	for i, c := range counts {
		if err := c.check(i); err != nil {
			return nil, err
		}
		if c.N > 0 {
			m.lengths = append(m.lengths, c.Length)
		}
	}
	if len(m.lengths) == 0 {
		return nil, errNoAnswers
	}
	slices.Sort(m.lengths)
	m.lengths = slices.Compact(m.lengths)
	m.grid = newLimitGrid(m.lengths[0], m.lengths[len(m.lengths)-1], steps, slopes)
	for _, length := range m.lengths {
		m.tables = append(m.tables, newLimitTable(m.grid, length))
	}
	return m, nil
}

func newLimitTable(g *limitGrid, length int) limitTable {
	t := limitTable{norm: g.odds(length)}
	t.miss = make([]float64, 0, len(t.norm)*len(lapses))
	for i, odds := range t.norm {
		for _, lapse := range lapses {
			t.miss = append(t.miss, math.Log(lapse+odds))
		}
		t.norm[i] = math.Log1p(odds)
	}
	return t
}

// Fit returns the posterior of counts, whose lengths must be among those that the
// model was made for. It refuses what FitLimit refuses.
func (m *LimitModel) Fit(counts []Counts) (*LimitFit, error) {
	t := m.tally()
	answers := int64(0)
	for i, c := range counts {
		if err := c.check(i); err != nil {
			return nil, err
		}
		if c.N == 0 {
			continue
		}
		l, ok := slices.BinarySearch(m.lengths, c.Length)
		if !ok {
			return nil, &BadValue{i, float64(c.Length), "is not a length of the model"}
		}
		t.right[l] += float64(c.Right)
		t.wrong[l] += float64(c.N - c.Right)
		answers += c.N
	}
	if answers == 0 {
		return nil, errNoAnswers
	}
	f := newLimitFit(m.grid)
	m.fill(f, t, new(limitScratch))
	return f, nil
}

// A limitTally counts answers by the place of their length in a model.
type limitTally struct{ right, wrong []float64 }

func (m *LimitModel) tally() limitTally {
	return limitTally{make([]float64, len(m.lengths)), make([]float64, len(m.lengths))}
}
