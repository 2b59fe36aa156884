package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestAgainstGonum compares with gonum's package of distributions.
func TestAgainstGonum(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if got != want && math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	for x := -39.0; x <= 39; x += 0.37 {
		near("Normal", Normal(x), distuv.UnitNormal.CDF(x))
		near("NormalAbove", NormalAbove(x), distuv.UnitNormal.CDF(-x)) // its Survival is 0 from 8.3 on
	}
	for _, p := range []float64{0, 1e-300, 1e-9, 0.001, 0.025, 0.05, 0.3, 0.5, 0.7, 0.95, 0.975, 0.999, 1 - 1e-12, 1} {
		near("NormalQuantile", NormalQuantile(p), distuv.UnitNormal.Quantile(p))
		for _, freedom := range []float64{0.5, 1, 2, 3.7, 10, 30, 1000, 1e6} {
			if p > 0 && p < 1 {
				near("StudentQuantile", StudentQuantile(p, freedom), distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(p))
			}
		}
	}
	// Of tables: t for 95 % both sides.
	for freedom, want := range map[float64]float64{1: 12.7062, 10: 2.2281, 120: 1.9799} {
		if got := StudentQuantile(0.975, freedom); math.Abs(got-want) > 5e-5 {
			t.Errorf("%v degrees of freedom: %v, want %v", freedom, got, want)
		}
	}
}
