package sequential_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats/sequential"
)

// A fataler is a *testing.T, a *testing.B or a *rapid.T.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// capitals feeds x in blocks and returns the value after each.
func capitals(m float64, n, block int, x []float64) (values []float64) {
	c := sequential.NewWealth(m, n)
	for i := 0; i < len(x); i += block {
		c.Add(x[i:min(i+block, len(x))])
		values = append(values, c.Value())
	}
	return values
}

var eight = []float64{0, 1, 0, -1, .5, 0, 0, .25}

// The figures were computed by another program.
func TestCapitalReference(t *testing.T) {
	for _, c := range []struct {
		n, block int
		want     []float64
	}{
		{0, 1, []float64{.9947856780, 1.2474432264, 1.2394840690, .8385587635, .9092529947, .9057885267, .9023509451, .9415771790}},
		{20, 1, []float64{.9947856780, 1.2469116515, 1.2608984197, .8465112714, .9175150544, .9187230968, .9200215115, .9670247174}},
		{20, 2, []float64{1.2474432264, .8467447906, .9133928233, .9609980548}},
	} {
		got := capitals(0.02, c.n, c.block, eight)
		for i, want := range c.want {
			if len(got) != len(c.want) || math.Abs(got[i]-want) > 1e-10 {
				t.Fatalf("n %d, blocks of %d: %.10f, want %.10f", c.n, c.block, got, c.want)
			}
		}
	}
}

// A hypothesis that the unseen items cannot make true is rejected with certainty; one
// that holds only if all of them are -1 is rejected as soon as one is not.
func TestCapitalArithmetic(t *testing.T) {
	// After 1, 1 of four, the mean is 0 at least.
	if got := capitals(-0.01, 4, 1, []float64{1, 1, -1}); !math.IsInf(got[2], 1) || math.IsInf(got[1], 1) {
		t.Errorf("a mean of -0.01 after 1, 1 of four is impossible: %v", got)
	}
	if got := capitals(0, 4, 1, []float64{1, 1, -1, -1}); math.IsInf(got[3], 1) {
		t.Errorf("1, 1, -1, -1 has a mean of 0: %v", got)
	}
	if got := capitals(0, 4, 1, []float64{1, 1, -1, -.5}); !math.IsInf(got[3], 1) {
		t.Errorf("1, 1, -1, -0.5 has a mean above 0: %v", got)
	}
	if got := capitals(-1, 0, 1, []float64{-1, -1, -.5, -1}); math.IsInf(got[1], 1) || !math.IsInf(got[2], 1) || !math.IsInf(got[3], 1) {
		t.Errorf("a mean of -1 or less allows nothing but -1, for good: %v", got)
	}
}

// What was impossible stays impossible, also where rounding would make it possible
// again.
func TestCapitalStaysRuled(t *testing.T) {
	x := make([]float64, 80)
	for i := range x {
		x[i] = -1
	}
	x[0] = -1 + 2e-9
	got := capitals(-1+.9e-9, 100, 1, x)
	if !math.IsInf(got[0], 1) || !math.IsInf(got[79], 1) {
		t.Errorf("%v at first, %v at last", got[0], got[79])
	}
}

// Bets that are never lost stay finite.
func TestCapitalIsBounded(t *testing.T) {
	x := make([]float64, 3000)
	for i := range x {
		x[i] = 1
	}
	if got := capitals(0, 0, 1, x); got[2999] > 1e100 || got[2999] < 1e98 {
		t.Errorf("%v after 3,000 wins", got[2999])
	}
}

func TestCapitalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := differences(t, "x", 40)
		m := rapid.Float64Range(-1, 1).Draw(t, "m")
		c := sequential.NewWealth(m, 0)
		high := 1.0
		for _, v := range x {
			c.Add([]float64{v})
			high = max(high, c.Value())
			if !(c.Value() >= 0) || c.Max() != high {
				t.Fatalf("value %v, max %v, greatest value %v", c.Value(), c.Max(), high)
			}
		}
		// A lower mean is easier to reject.
		lower := sequential.NewWealth(m-rapid.Float64Range(0, .5).Draw(t, "less"), 0)
		for _, v := range x {
			lower.Add([]float64{v})
		}
		if lower.Max() < c.Max()*(1-1e-12) {
			t.Fatalf("%v at a lower mean, %v", lower.Max(), c.Max())
		}
		// Bets at the mean itself cannot win over all of the values, whatever the order.
		mean := 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		if fair := capitals(mean, 0, 1, x); fair[len(fair)-1] > 1+1e-9 && mean > -1+1e-9 {
			t.Fatalf("bets at the mean itself came to %v", fair[len(fair)-1])
		}
	})
}

// differences draws values between -1 and 1 with the ties of real scores.
func differences(t *rapid.T, name string, most int) []float64 {
	return rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]float64{-1, 0, 0, 0, 1}), rapid.Float64Range(-1, 1)), 1, most).Draw(t, name)
}

// Nine items, and each time the new model is right and the old one wrong.
func TestNineWins(t *testing.T) {
	if got := capitals(0.02, 0, 1, slices.Repeat([]float64{1}, 9)); got[8] < 2/0.05 {
		t.Errorf("not rejected at 2.5 %%: %v", got)
	}
}
