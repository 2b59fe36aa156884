package horizon

import (
	"math"
	"testing"

	"verbatim/internal/testmain"
)

// NewReferenceModel is NewModel with the prior of the reference figures of published
// results: 20 slopes up to 8, lapse rates up to 0.35, no floor.
func NewReferenceModel(counts []Counts) (*Model, error) {
	p := &prior{
		lapses: []float64{0, .01, .02, .04, .07, .1, .15, .2, .25, .3, .35},
		floors: []float64{0}, floorWeights: []float64{1},
	}
	const slopes = 20
	for i := range slopes {
		p.slopes = append(p.slopes, 0.5*math.Pow(16, float64(i)/(slopes-1)))
	}
	for _, lapse := range p.lapses {
		p.lapseWeights = append(p.lapseWeights, math.Pow(1-lapse, 9))
	}
	return newModel(p, counts)
}

// FitTasks is Model.FitTasks for a model of the lengths of the tasks.
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

// FitEstimate returns the estimate of the posterior of counts.
func FitEstimate(counts []Counts) (*Estimate, error) {
	f, err := Fit(counts)
	if err != nil {
		return nil, err
	}
	l := f.Estimate()
	return &l, nil
}

func TestMain(m *testing.M) { testmain.Main(m) }
