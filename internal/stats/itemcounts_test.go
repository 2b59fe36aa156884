package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The effective number must be that of the variance of the items' means, and with one trial
// the interval must be Wilson's.
func TestItemCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		items, trials := 2+r.IntN(30), 1+round%6
		var c ItemCounts
		shares, mean := make([]float64, items), 0.0
		for i := range shares {
			right := r.IntN(trials + 1)
			c.Add(int64(right), int64(trials))
			shares[i] = float64(right) / float64(trials)
			mean += shares[i] / float64(items)
		}
		variance := 0.0
		for _, s := range shares {
			variance += (s - mean) * (s - mean) / float64(items-1) / float64(items)
		}
		want := min(max(mean*(1-mean)/variance, float64(items)), float64(items*trials))
		if c.Right == 0 || c.Right == c.Answers {
			want = float64(items)
		}
		if got := c.effective(); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%d items × %d: effectively %v, want %v", items, trials, got, want)
		}
		low, high := c.Interval(float64(c.Right)/float64(c.Answers), .95)
		wide, wideHigh := Wilson(int(c.Right), int(c.Answers), .95)
		if trials == 1 && (low != wide || high != wideHigh) {
			t.Errorf("%d items once: %v to %v, Wilson's is %v to %v", items, low, high, wide, wideHigh)
		}
		if low > wide || high < wideHigh {
			t.Errorf("%d items × %d: %v to %v is narrower than that of independent answers, %v to %v", items, trials, low, high, wide, wideHigh)
		}
	}
	var equal ItemCounts // each item has the same number of right answers
	for range 7 {
		equal.Add(1, 3)
	}
	if got := equal.effective(); got != 21 {
		t.Errorf("7 items with 1 of 3 right each: effectively %v, want 21", got)
	}
}
