package stats_test

import (
	"errors"
	"math"
	"testing"

	"verbatim/internal/stats"
)

// TestLevelOfExactAnswers: of right and wrong answers it is Jeffreys' posterior.
func TestLevelOfExactAnswers(t *testing.T) {
	for _, c := range []struct{ right, of int }{{7, 10}, {0, 10}, {20, 20}, {172, 180}} {
		var s stats.Strata
		for i := range c.of {
			if err := s.Add(0, score(i < c.right)); err != nil {
				t.Fatal(err)
			}
		}
		p, err := s.MeanScorePosterior(false)
		if err != nil {
			t.Fatal(err)
		}
		low, high := stats.Jeffreys(c.right, c.of, 0.95)
		if got := p.Interval(0.95); math.Abs(got.Low-low) > 1e-6 || math.Abs(got.High-high) > 1e-6 {
			// The posterior itself has an end where Jeffreys' interval is closed by hand.
			if c.right != 0 && c.right != c.of {
				t.Errorf("%d of %d: %v, want %v to %v", c.right, c.of, got, low, high)
			}
		}
	}
}

// TestLevelStratified leaves out what cells differ by.
func TestLevelStratified(t *testing.T) {
	var s stats.Strata
	for i := range 40 {
		for cell := range 2 {
			if err := s.Add(cell, float64(cell)*0.8+0.1*score(i%2 == 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	width := func(stratified bool) float64 {
		p, err := s.MeanScorePosterior(stratified)
		if err != nil {
			t.Fatal(err)
		}
		in := p.Interval(0.95)
		if mean := s.Total().Mean; in.Low > mean || in.High < mean {
			t.Errorf("%v does not hold %v", in, mean)
		}
		return in.High - in.Low
	}
	if narrow, wide := width(true), width(false); !(narrow < wide/2) {
		t.Errorf("%v wide, and without cells %v", narrow, wide)
	}
	if _, err := new(stats.Strata).MeanScorePosterior(false); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("nothing: %v", err)
	}
	if err := s.Add(7, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.MeanScorePosterior(true); !errors.Is(err, stats.ErrSingleton) {
		t.Errorf("a cell of one: %v", err)
	}
}

func score(right bool) float64 {
	if right {
		return 1
	}
	return 0
}
