package stats

import (
	"math"
	"testing"
)

// The last digits of a sum depend on its order. They must not be magnified, so the interval
// is continuous everywhere, and its accuracy is that of its sums.
func TestScoreSumsIsContinuous(t *testing.T) {
	for step := range 4000 {
		effective := 7.3 + 2.5e-7*float64(step) // includes all halves of a millionth
		s := ScoreSums{Items: 7, Scores: 7, Mean: 0.4}
		s.Squares = (0.24*49/effective - 0.26) * 6 / 7
		i, ok := s.Interval(0.95)
		s.Squares *= 1 - 1e-12
		near, nearOK := s.Interval(0.95)
		if low, high := wilsonShare(0.4, effective, 0.95); !ok || !nearOK ||
			math.Abs(i.Low-low) > 1e-10 || math.Abs(i.High-high) > 1e-10 ||
			math.Abs(i.Low-near.Low) > 1e-10 || math.Abs(i.High-near.High) > 1e-10 {
			t.Fatalf("%v independent answers: %v, with the last digits changed %v, want %v to %v", effective, i, near, low, high)
		}
	}
}

// TestItemsWithEqualScores: items that are taken in together give the interval of items one by one,
// whether all scores are 0 or 1 or not.
func TestItemsWithEqualScores(t *testing.T) {
	for _, partial := range []float64{0, 0.25} {
		var together, each ItemScores
		sum, scores := 0.0, 0.0
		for _, c := range []struct {
			items  int64
			sum    float64
			scores int64
		}{{7, 0, 1}, {30, 1, 1}, {5, 2 + partial, 3}, {2, 1, 2}} {
			together.AddTimes(c.items, c.sum, c.scores, partial > 0)
			for range c.items {
				each.Add(c.sum, c.scores, partial > 0)
				sum += c.sum
				scores += float64(c.scores)
			}
		}
		x, okX := together.Interval(sum/scores, 0.95)
		y, okY := each.Interval(sum/scores, 0.95)
		if !okX || !okY || math.Abs(x.Low-y.Low) > 1e-12 || math.Abs(x.High-y.High) > 1e-12 {
			t.Errorf("%v: %v %t, one by one %v %t", partial, x, okX, y, okY)
		}
	}
}
