package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/stats"
)

// TestSpreadShareCoverage: with four wordings that differ, the interval holds the share over
// all wordings; Wilson's, which knows nothing of wordings, does not.
func TestSpreadShareCoverage(t *testing.T) {
	exhaustive.Only(t)
	runs := 20_000
	r := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		tasks, items int     // of each wording
		share, sd    float64 // over all wordings, and between them
	}{
		{1, 25, 0.7, 0}, {1, 25, 0.7, 0.05}, {1, 25, 0.7, 0.1}, {1, 100, 0.7, 0.1}, {1, 100, 0.9, 0.05},
		{7, 5, 0.8, 0}, {7, 5, 0.8, 0.1}, {7, 25, 0.8, 0.1}, {18, 20, 0.7, 0.1},
	} {
		held, plain, width, plainWidth := 0, 0, 0.0, 0.0
		for range runs {
			tasks, right, n := make([][]stats.WordingCount, c.tasks), 0, 0
			for i := range tasks {
				for range 4 {
					w := stats.WordingCount{N: int64(c.items)}
					p := min(max(c.share+c.sd*math.Sqrt(3)*(2*r.Float64()-1), 0), 1)
					for range c.items {
						if r.Float64() < p {
							w.Right++
						}
					}
					tasks[i] = append(tasks[i], w)
					right, n = right+int(w.Right), n+c.items
				}
			}
			low, high := stats.SpreadShare(tasks, 0.95)
			if low <= c.share && c.share <= high {
				held++
			}
			width += (high - low) / float64(runs)
			low, high = stats.Wilson(right, n, 0.95)
			if low <= c.share && c.share <= high {
				plain++
			}
			plainWidth += (high - low) / float64(runs)
		}
		share := float64(held) / float64(runs)
		t.Logf("%+v: %.3f hold it, %.3f wide; Wilson's %.3f, %.3f wide", c, share, width, float64(plain)/float64(runs), plainWidth)
		if share < 0.92-2*math.Sqrt(0.92*0.08/float64(runs)) {
			t.Errorf("%+v: %.3f of the intervals hold the share", c, share)
		}
	}
}

func TestSpreadShareEdges(t *testing.T) {
	for name, tasks := range map[string][][]stats.WordingCount{
		"all right":              {{{10, 10}, {10, 10}}},
		"all wrong":              {{{0, 10}, {0, 10}}},
		"one wording":            {{{7, 10}}},
		"equal wordings":         {{{7, 10}, {7, 10}}},
		"a wording without item": {{{7, 10}, {0, 0}}},
	} {
		right, n := 0, 0
		for _, w := range tasks[0] {
			right, n = right+int(w.Right), n+int(w.N)
		}
		low, high := stats.SpreadShare(tasks, 0.95)
		wantLow, wantHigh := stats.Wilson(right, n, 0.95)
		if low != wantLow || high != wantHigh {
			t.Errorf("%s: %v to %v, want Wilson's %v to %v", name, low, high, wantLow, wantHigh)
		}
	}
	if low, high := stats.SpreadShare(nil, 0.95); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("no answers: %v to %v", low, high)
	}
	low, high := stats.SpreadShare([][]stats.WordingCount{{{0, 50}, {50, 50}}}, 0.95)
	if !(low < 0.1 && high > 0.9) {
		t.Errorf("two wordings that decide all: %v to %v", low, high)
	}
}
