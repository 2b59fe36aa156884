package stats

import (
	"math"
	"testing"
)

// TestExactQuantiles: of few numbers the quantiles are exact, also of merged ones; of more
// they are within 2.2 %.
func TestExactQuantiles(t *testing.T) {
	for _, n := range []int{1, 2, 3, ExactNumbers, ExactNumbers + 1, 1000} {
		one, a, b := NewExact(), NewExact(), NewExact()
		for i := n; i > 0; i-- {
			half := a
			if i%2 == 0 {
				half = b
			}
			one.Add(BucketOf(float64(100 + i)))
			half.Add(BucketOf(float64(100 + i)))
		}
		a.Merge(b)
		for _, q := range []float64{0.25, 0.5, 0.95} {
			want := 100 + math.Ceil(q*float64(n))
			if q == 0.5 && n%2 == 0 {
				want += 0.5
			}
			for _, s := range []*Quantiles{one, a} {
				got := *s.Quantile(q)
				if off := math.Abs(got/want - 1); off > 0.022 || off > 0 && n <= ExactNumbers {
					t.Errorf("%d numbers, quantile %g: %g, want %g", n, q, got, want)
				}
			}
		}
	}
	zeros := NewExact()
	zeros.AddZero()
	zeros.Add(BucketOf(148))
	zeros.Add(BucketOf(149))
	if got := *zeros.Quantile(0.5); got != 148 {
		t.Errorf("0, 148, 149: median %g", got)
	}
}
