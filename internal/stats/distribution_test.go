package stats

import (
	"math"
	"math/bits"
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

// The estimates must be the shares of all choices of k of n answers, and unbiased: their
// mean over all outcomes of n answers is the probability itself.
func TestPassAtKOfAllChoices(t *testing.T) {
	for n := 1; n <= 10; n++ {
		for k := 1; k <= n; k++ {
			for right := range n + 1 {
				answers, choices, some, all := uint(1)<<right-1, 0, 0, 0
				for choice := range uint(1) << n {
					if bits.OnesCount(choice) != k {
						continue
					}
					choices++
					switch bits.OnesCount(choice & answers) {
					case 0:
					case k:
						some, all = some+1, all+1
					default:
						some++
					}
				}
				pass, every := PassAtK(int64(right), int64(n), int64(k)), AllAtK(int64(right), int64(n), int64(k))
				if math.Abs(pass-float64(some)/float64(choices)) > 1e-12 || math.Abs(every-float64(all)/float64(choices)) > 1e-12 {
					t.Errorf("%d of %d right, %d chosen: %v and %v, want %d and %d of %d", right, n, k, pass, every, some, all, choices)
				}
			}
			for _, p := range []float64{.1, .5, .83} {
				pass, every := 0.0, 0.0
				for outcome := range uint(1) << n { // every sequence of right and wrong answers
					right := bits.OnesCount(outcome)
					chance := math.Pow(p, float64(right)) * math.Pow(1-p, float64(n-right))
					pass += chance * PassAtK(int64(right), int64(n), int64(k))
					every += chance * AllAtK(int64(right), int64(n), int64(k))
				}
				if math.Abs(pass-(1-math.Pow(1-p, float64(k)))) > 1e-12 || math.Abs(every-math.Pow(p, float64(k))) > 1e-12 {
					t.Errorf("%d answers right with %v, %d chosen: %v and %v on average", n, p, k, pass, every)
				}
			}
		}
	}
}
