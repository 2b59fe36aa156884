package sequential_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
)

// Scores that are all equal carry no information, and change nothing.
func TestKnowNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-.5, .5), 1, 60).Draw(t, "x")
		n := len(x) + 5
		plain, known := ropeTest(t, .02, .5, n), ropeTest(t, .02, .5, n)
		scores := make([]float64, n)
		for i := range scores {
			scores[i] = .5
		}
		if err := known.SetBaseline(scores); err != nil {
			t.Fatal(err)
		}
		for _, v := range x {
			d, err := known.Add([]float64{v})
			if want, _ := plain.Add([]float64{v}); d != want || err != nil {
				t.Fatalf("%q, want %q, %v", d, want, err)
			}
		}
		if a, b := plain.Interval(), known.Interval(); math.Abs(a.Low-b.Low)+math.Abs(a.High-b.High) > 1e-8 {
			t.Fatalf("%v, want %v", b, a)
		}
	})
}

// Items that are removed take their scores of the baseline with them.
func TestKnowAndShrink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 1))
		n, gone := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(0, 5).Draw(t, "gone")
		late := rapid.IntRange(0, n).Draw(t, "after")
		a, x := make([]float64, n+gone), make([]float64, n+gone)
		for i := range a {
			a[i] = float64(r.IntN(3)) / 2
			x[i] = float64(r.IntN(3))/2 - a[i]
		}
		small := append(append([]float64{}, a[:late]...), a[late+gone:]...)
		one, other := gate(t, .1, .05, n+gone), gate(t, .1, .05, n)
		if err := errors.Join(one.SetBaseline(a), other.SetBaseline(small)); err != nil {
			t.Fatal(err)
		}
		for i := range x[:n+gone-1] { // to the last but one
			if i == late {
				if one.Decision() != sequential.Undecided {
					return // the decision is final
				}
				if err := one.Shrink(gone); err != nil {
					t.Fatal(err)
				}
			}
			if i >= late && i < late+gone {
				continue
			}
			_, err1 := one.Add(x[i : i+1])
			_, err2 := other.Add(x[i : i+1])
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
		}
		if late >= n+gone-1 {
			return // nothing left
		}
		if one.Decision() != other.Decision() {
			t.Fatalf("%q, and %q of the smaller benchmark", one.Decision(), other.Decision())
		}
		if one.Interval() != other.Interval() {
			t.Fatalf("%v, and %v of the smaller benchmark", one.Interval(), other.Interval())
		}
	})
}

// Where answers are random, known scores of the baseline save at least a quarter of the
// items, and the verdict is still that of the full benchmark.
func TestKnowSaves(t *testing.T) {
	const n, runs = 800, 60
	r := rand.New(rand.NewPCG(1, 2))
	wrong, with, without := 0, 0, 0
	for range runs {
		plain, known := gate(t, .05, .05, n), gate(t, .05, .05, n)
		a, x, sum := make([]float64, n), make([]float64, n), 0.0
		for i := range a {
			a[i] = float64(r.IntN(10) / 9)
			x[i] = float64(r.IntN(10)/9) - a[i]
			sum += x[i]
		}
		if err := known.SetBaseline(a); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < n && plain.Decision() == sequential.Undecided; i++ {
			_, _ = plain.Add(x[i : i+1])
		}
		for i := 0; i < n && known.Decision() == sequential.Undecided; i++ {
			_, _ = known.Add(x[i : i+1])
		}
		with, without = with+known.N(), without+plain.N()
		if (known.Decision() == sequential.Pass) != (sum/n >= -.05) {
			wrong++
		}
	}
	if wrong > 5 || float64(with) > .75*float64(without) {
		t.Errorf("%d wrong of %d; %d items with the baseline known, %d without", wrong, runs, with/runs, without/runs)
	}
}

func TestKnowRefuses(t *testing.T) {
	var b *stats.BadValue
	for _, bad := range []float64{-.01, 1.01, math.NaN(), math.Inf(1)} {
		if err := ropeTest(t, .02, .05, 2).SetBaseline([]float64{1, bad}); !errors.As(err, &b) || b.Index != 1 {
			t.Errorf("a score of %v: %v", bad, err)
		}
	}
	if err := ropeTest(t, .02, .05, 2).SetBaseline([]float64{1}); err == nil {
		t.Error("one score of two")
	}
	if err := gate(t, .02, .05, 0).SetBaseline(nil); err == nil {
		t.Error("a baseline of a population without end")
	}
	s := ropeTest(t, .02, .05, 4)
	if err := s.SetBaseline([]float64{1, 1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add([]float64{0, .5}); !errors.As(err, &b) || b.Index != 1 {
		t.Errorf("from a score of 1 to one of 1.5: %v", err)
	}
	if _, err := s.Add([]float64{0}); err != nil {
		t.Errorf("a block of another size after one that was refused: %v", err)
	}
	if err := s.SetBaseline([]float64{1, 1, 0, 0}); err == nil {
		t.Error("a baseline after the first item")
	}
}

func ExampleROPETest_SetBaseline() {
	// Of 1,000 items the baseline has every second right, the other model every third:
	// the score of one says nothing about that of the other.
	baseline, other := make([]float64, 1000), make([]float64, 1000)
	for i := range baseline {
		baseline[i] = float64(1 - i%2)
		other[i] = float64((3 - i%3) / 3)
	}
	for _, known := range []bool{false, true} {
		s, err := sequential.NewROPETest(0.02, 0.05, len(baseline))
		if err != nil {
			panic(err)
		}
		if known {
			if err := s.SetBaseline(baseline); err != nil {
				panic(err)
			}
		}
		for i := 0; s.Decision() == sequential.Undecided; i++ {
			if _, err := s.Add([]float64{other[i] - baseline[i]}); err != nil {
				panic(err)
			}
		}
		fmt.Printf("%s after %d items\n", s.Decision(), s.N())
	}
	// Output:
	// worse after 195 items
	// worse after 111 items
}

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
