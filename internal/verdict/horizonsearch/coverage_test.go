package horizonsearch

import (
	"fmt"
	"math"
	"os"
	"testing"

	"verbatim/internal/stats/horizon"
)

// TestSearchCoverage simulates searches with the command's defaults: 80 items, an interval
// of 0.75 doublings, half doublings from 2 to 256. Their intervals hold the true horizon in
// at least 93 % of cases: for lapse rates from 0 to 0.9, slopes from 0.5 to steps, and steps
// between two lengths.
func TestSearchCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	slopes, lapses, runs := []float64{3}, []float64{0, 0.42, 0.55}, 20
	steps := []float64{44.5}
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		slopes, lapses, runs = []float64{0.5, 1, 1.5, 3, 8}, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.7, 0.9}, 400
		steps = nil
		for i := range 16 { // between 32 and 64, above and below the length 45
			steps = append(steps, 32*math.Exp2((float64(i)+0.5)/16))
		}
	}
	var models []madeUp
	for _, k := range slopes {
		for _, lapse := range lapses {
			models = append(models, madeUp{half: 32, slope: k, lapse: lapse})
		}
	}
	for _, at := range steps {
		models = append(models, madeUp{half: at, slope: 1e6}, madeUp{half: at, slope: 1e6, lapse: 0.05, floor: 0.05}, madeUp{half: at, slope: 1e6, lapse: 0.4})
	}
	for _, m := range models {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			t.Parallel()
			covered, named, bounded, items := 0, 0, 0, 0
			for i := range runs {
				c := searchOf(80, 0.75, 1)
				c.Seed = uint64(i)
				s := start(t, c, nil)
				items += len(play(t, s, first, luckily(m, uint64(i))))
				e := s.posterior.Estimate()
				if holds(e, m) {
					covered++
				}
				if e.Interval.Low > 0 {
					bounded++
				}
				if e.L50 >= 2 && e.L50 <= 256 {
					named++
				}
			}
			share := float64(covered) / float64(runs)
			t.Logf("%+v: horizon %.1f: %.3f of %d intervals hold it; a length is named in %.2f; the interval begins at a length in %.2f; %d items", m, m.limit(), share, runs,
				float64(named)/float64(runs), float64(bounded)/float64(runs), items/runs)
			if share < 0.93-2*math.Sqrt(0.93*0.07/float64(runs)) {
				t.Errorf("horizon %.1f: %.3f of %d intervals hold it", m.limit(), share, runs)
			}
		})
	}
}

// holds reports whether an interval holds the horizon of m, up to half a step of the grid.
func holds(e horizon.Estimate, m madeUp) bool {
	if m.lapse >= 0.5 {
		return e.Interval.Low == 0
	}
	const half = 0.025
	low, high := m.limit(), m.limit()
	if m.slope > 1e3 {
		// Right up to a whole length, wrong from the next one on.
		low = math.Floor(m.half)
		high = low + 1
	}
	return e.Interval.Low <= high*math.Exp2(half) && low*math.Exp2(-half) <= e.Interval.High
}
