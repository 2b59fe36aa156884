package change_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"verbatim/internal/stats/change"
)

// The interval holds the true share in 95 % of sequences, though each is stopped at the moment at
// which the interval is furthest from it.
func TestShareIntervalCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("it only computes")
	}
	const attempts, most = 2000, 48
	var intervals [most + 1][most + 1][2]float64
	for n := range most + 1 {
		for k := range n + 1 {
			intervals[n][k][0], intervals[n][k][1] = change.ShareInterval(k, n, .95)
		}
	}
	for _, share := range []float64{.05, .3, .5, .9} {
		r, missed := rand.New(rand.NewPCG(1, uint64(1000*share))), 0
		for range attempts {
			k, outside := 0, false
			for n := 1; n <= most; n++ {
				if r.Float64() < share {
					k++
				}
				outside = outside || share < intervals[n][k][0] || share > intervals[n][k][1]
			}
			if outside {
				missed++
			}
		}
		if limit := attempts*.05 + 4*math.Sqrt(attempts*.05); float64(missed) > limit {
			t.Errorf("share %g: %d of %d sequences leave the interval, at most %.0f", share, missed, attempts, limit)
		}
	}
}

func TestIntervalsOfNothing(t *testing.T) {
	for name, f := range map[string]func() (float64, float64){
		"share": func() (float64, float64) { return change.ShareInterval(0, 0, .95) },
		"rate":  func() (float64, float64) { return change.RateInterval(0, 0, .95) },
	} {
		if low, high := f(); math.Abs(low) > 1e-5 || math.Abs(high-1) > 1e-5 {
			t.Errorf("%s: %g to %g", name, low, high)
		}
	}
	if low, high := change.PairedInterval(0, 0, 0, .95); low != -1 || high != 1 {
		t.Errorf("difference: %g to %g", low, high)
	}
}

// Clopper and Pearson's interval of 0 of n ends at 1 − 0.025^(1/n), and the intervals of k and of
// n − k mirror each other.
func TestRateInterval(t *testing.T) {
	low, high := change.RateInterval(0, 16, .95)
	if want := 1 - math.Pow(.025, 1./16); low != 0 || math.Abs(high-want) > 1e-9 {
		t.Errorf("0 of 16: %g to %g, want 0 to %g", low, high, want)
	}
	for k := range 17 {
		low, high := change.RateInterval(k, 16, .95)
		other, mirrored := change.RateInterval(16-k, 16, .95)
		if share := float64(k) / 16; low > share || high < share || math.Abs(low+mirrored-1) > 1e-9 || math.Abs(high+other-1) > 1e-9 {
			t.Errorf("%d of 16: %g to %g, and %g to %g", k, low, high, other, mirrored)
		}
	}
}

// The interval of a difference covers it in 95 % of samples at least.
func TestPairedIntervalCoverage(t *testing.T) {
	const attempts, n = 2000, 48
	for _, p := range [][2]float64{{0, 0}, {.05, .05}, {.3, .1}, {.02, .5}} {
		r, missed := rand.New(rand.NewPCG(2, uint64(1000*p[0]))), 0
		intervals := map[[2]int][2]float64{} // each is computed once
		for range attempts {
			var only [2]int
			for range n {
				switch x := r.Float64(); {
				case x < p[0]:
					only[0]++
				case x < p[0]+p[1]:
					only[1]++
				}
			}
			interval, known := intervals[only]
			if !known {
				interval[0], interval[1] = change.PairedInterval(only[0], only[1], n, .95)
				intervals[only] = interval
			}
			if p[1]-p[0] < interval[0] || p[1]-p[0] > interval[1] {
				missed++
			}
		}
		if limit := attempts*.05 + 4*math.Sqrt(attempts*.05); float64(missed) > limit {
			t.Errorf("%v: %d of %d intervals miss it, at most %.0f", p, missed, attempts, limit)
		}
	}
}
