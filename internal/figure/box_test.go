package figure

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBoxOf(t *testing.T) {
	// numpy.percentile([1, 2, 3, 4, 100], [25, 50, 75]) is 2, 3, 4.
	b := BoxOf("m", 1, []float64{100, 3, 1, 4, 2})
	if b.Q1 != 2 || b.Median != 3 || b.Q3 != 4 || b.Low != 1 || b.High != 4 || !slices.Equal(b.Outliers, []float64{100}) || b.N != 5 || b.At != 1 || b.Name != "m" {
		t.Errorf("%+v", b)
	}
	// numpy.percentile([1, 2, 3, 4], [25, 50, 75]) is 1.75, 2.5, 3.25.
	if b := BoxOf("m", 0, []float64{1, 2, 3, 4}); b.Q1 != 1.75 || b.Median != 2.5 || b.Q3 != 3.25 {
		t.Errorf("%+v", b)
	}
	// 8 is beyond 4 + 1.5·2, and 7 is not.
	if b := BoxOf("m", 0, []float64{1, 2, 3, 4, 8}); len(b.Outliers) != 1 || b.High != 4 {
		t.Errorf("%+v", b)
	}
	if b := BoxOf("m", 0, []float64{1, 2, 3, 4, 7}); len(b.Outliers) != 0 || b.High != 7 {
		t.Errorf("%+v", b)
	}
	if b := BoxOf("m", 0, []float64{7}); b.Q1 != 7 || b.Q3 != 7 || b.Low != 7 || b.High != 7 || b.N != 1 || len(b.Outliers) != 0 {
		t.Errorf("%+v", b)
	}
}

// TestBoxHoldsTheSample: every value is between the whiskers or an outlier, and the
// numbers of a box are in order.
func TestBoxHoldsTheSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 60).Draw(t, "sample")
		b := BoxOf("m", 0, sample)
		inside := 0
		for _, v := range sample {
			if v >= b.Low && v <= b.High {
				inside++
			}
		}
		if !slices.IsSorted([]float64{b.Low, b.Q1, b.Median, b.Q3, b.High}) || inside+len(b.Outliers) != len(sample) {
			t.Fatalf("%+v of %v", b, sample)
		}
	})
}
