package change

import (
	"math"
	"testing"
)

// TestUpperBound compares bounds with values of the quantile of the beta distribution: with no
// success the bound is 1 − (1 − confidence)^(1/n).
func TestUpperBound(t *testing.T) {
	for _, c := range []struct {
		k, n int
		want float64
	}{
		{0, 192, 1 - math.Pow(0.01, 1.0/192)}, {0, 1, 0.99}, {5, 5, 1}, {0, 0, 1},
		{1, 10, 0.5044}, {5, 100, 0.1258}, // scipy.stats.beta.ppf(0.99, k+1, n-k)
	} {
		if got := UpperBound(c.k, c.n, 0.99); math.Abs(got-c.want) > 5e-4 {
			t.Errorf("UpperBound(%d, %d) is %v, want %v", c.k, c.n, got, c.want)
		}
	}
}

// TestFirstIsBetter compares p values with counts by hand, and wants their level to hold.
func TestFirstIsBetter(t *testing.T) {
	for _, c := range []struct {
		wrong      []int
		calls      int
		firstWrong int
		want       float64
	}{
		{[]int{0, 0, 0}, 4, 0, 1},
		{[]int{1}, 4, 0, 0.75},
		{[]int{4}, 4, 1, 1},
		{[]int{3, 3}, 4, 0, 1.0 / 16},
		{[]int{3, 3}, 4, 1, 1.0/16 + 2*3.0/16},
		{[]int{2, 2, 2}, 4, 0, 1.0 / 8},
	} {
		if got := FirstIsBetter(c.wrong, c.calls, c.firstWrong); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("FirstIsBetter(%v, %d, %d) is %v, want %v", c.wrong, c.calls, c.firstWrong, got, c.want)
		}
	}
}
