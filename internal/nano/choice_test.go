package nano

import (
	"math"
	"testing"
)

// TestGreedy takes the first of the best.
func TestGreedy(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		logits []float32
		want   token
	}{
		{[]float32{-3, -1, -2}, 1},
		{[]float32{0, 5, 5, 4}, 1},
		{[]float32{nan, nan}, 0},
	} {
		for _, s := range []Sampling{{}, {TopP: 0.5, Seed: 3}, {Temperature: -1}, {Temperature: math.NaN()}} {
			if got := newChooser(s).choose(c.logits); got != c.want {
				t.Errorf("%v of %v: %d, want %d", s, c.logits, got, c.want)
			}
		}
	}
}

// TestDraw draws often and compares the shares with the probabilities.
func TestDraw(t *testing.T) {
	const draws = 20_000
	log := func(p float64) float32 { return float32(math.Log(p)) }
	logits := []float32{log(.1), log(.4), log(.2), log(.3)}
	for _, c := range []struct {
		sampling Sampling
		want     []float64
	}{
		{Sampling{Temperature: 1}, []float64{.1, .4, .2, .3}},
		{Sampling{Temperature: 1, TopP: 1}, []float64{.1, .4, .2, .3}},
		{Sampling{Temperature: 0.5}, []float64{1. / 30, 16. / 30, 4. / 30, 9. / 30}},
		{Sampling{Temperature: 1, TopP: 0.65}, []float64{0, 4. / 7, 0, 3. / 7}},
		{Sampling{Temperature: 1, TopP: 0.75}, []float64{0, 4. / 9, 2. / 9, 3. / 9}},
		{Sampling{Temperature: 1, TopP: 0.01}, []float64{0, 1, 0, 0}},
		{Sampling{Temperature: 1e-300}, []float64{0, 1, 0, 0}},
		{Sampling{Temperature: math.Inf(1)}, []float64{.25, .25, .25, .25}},
	} {
		chooser := newChooser(c.sampling)
		counts := make([]float64, len(logits))
		for range draws {
			counts[chooser.choose(logits)]++
		}
		for i, want := range c.want {
			// Five standard deviations: the seed is fixed, so this always passes or always fails.
			if got := counts[i] / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
				t.Errorf("%v: token %d has a share of %.3f, want %.3f", c.sampling, i, got, want)
			}
		}
	}
}
