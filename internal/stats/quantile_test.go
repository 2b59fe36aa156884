package stats_test

import (
	"strconv"
	"testing"

	"verbatim/internal/stats"
)

// By hand: the quantile p of n values is at (n-1)p.
func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		p, want float64
	}{
		{[]float64{3}, 0.5, 3}, {[]float64{1, 2}, 0.25, 1.25}, {[]float64{1, 2, 4, 8}, 0, 1}, {[]float64{1, 2, 4, 8}, 1, 8},
		{[]float64{1, 2, 4, 8}, 0.5, 3}, {[]float64{1, 2, 4, 8}, 0.75, 5},
	} {
		if got := stats.Quantile(c.values, c.p); got != c.want {
			t.Errorf("quantile %v of %v is %v, want %v", c.p, c.values, got, c.want)
		}
	}
}

// number reads a number of the oracle.
func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
