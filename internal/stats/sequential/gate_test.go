package sequential_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
)

func gate(t fataler, margin, alpha float64, n int) *sequential.Gate {
	t.Helper()
	g, err := sequential.NewGate(margin, alpha, n)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A gate is two of the bets of a Sequential: it says worse when the Sequential does,
// unless it has passed before.
func TestGateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := differences(t, "x", 60)
		n := rapid.SampledFrom([]int{0, len(x), len(x) + 7}).Draw(t, "n")
		margin := rapid.SampledFrom([]float64{0, .02, .1, .4}).Draw(t, "margin")
		alpha := rapid.SampledFrom([]float64{.05, .5}).Draw(t, "alpha")
		g := gate(t, margin, alpha, n)
		pass := sequential.NewWealth(-margin, n)
		worse := sequential.NewWealth(margin, n)
		sum := 0.0
		for i, v := range x {
			before := g.Decision()
			d, err := g.Add([]float64{v})
			if err != nil || g.N() != i+1 {
				t.Fatal(err, g.N())
			}
			pass.Add([]float64{v})
			worse.Add([]float64{-v})
			sum += v
			if before != sequential.Undecided {
				if d != before {
					t.Fatalf("%q became %q", before, d)
				}
				continue
			}
			want := sequential.Undecided
			switch mean := sum / float64(n); {
			case n > 0 && i+1 == n && math.Abs(mean+margin) < 1e-9:
				continue
			case n > 0 && i+1 == n && mean > -margin:
				want = sequential.Pass
			case n > 0 && i+1 == n:
				want = sequential.Worse
			case pass.Max() >= 2/alpha:
				want = sequential.Pass
			case worse.Max() >= 2/alpha:
				want = sequential.Worse
			}
			if d != want {
				t.Fatalf("%q after %d, want %q", d, i+1, want)
			}
		}
		if in := g.Interval(); !(-1 <= in.Low && in.Low <= in.High && in.High <= 1) {
			t.Fatalf("interval %v", in)
		}
	})
}

func TestGateStops(t *testing.T) {
	for _, c := range []struct {
		stream string
		want   sequential.Decision
	}{
		{"zeros", sequential.Pass}, {"ones", sequential.Pass}, {"plus_0.1", sequential.Pass},
		{"minus_ones", sequential.Worse}, {"every10th_-1", sequential.Worse}, {"alt_+1_-1", sequential.Undecided},
	} {
		if d, at := stop(t, gate(t, .05, .05, 0).Add, streams()[c.stream], 1); d != c.want {
			t.Errorf("%s: %q at %d, want %q", c.stream, d, at, c.want)
		}
	}
}

func TestGateLast(t *testing.T) {
	for _, c := range []struct {
		above float64
		want  sequential.Decision
	}{
		{.975, sequential.Pass}, {.974, sequential.Undecided}, {.025, sequential.Worse}, {.026, sequential.Undecided}, {math.NaN(), sequential.Undecided},
	} {
		if d := gate(t, .05, .05, 0).FinalLook(tail{-.05: c.above}); d != c.want {
			t.Errorf("the p-value of mean ≥ -margin is %v: %q, want %q", c.above, d, c.want)
		}
		if d := gate(t, .05, .05, 5).FinalLook(tail{-.05: c.above}); d != sequential.Undecided {
			t.Errorf("a last look at a benchmark: %q", d)
		}
	}
	g := gate(t, .05, .05, 0)
	for range 20 {
		_, _ = g.Add([]float64{-1})
	}
	if d := g.FinalLook(tail{-.05: 1}); d != sequential.Worse {
		t.Errorf("the last look turned a decision into %q", d)
	}
}

func ExampleGate() {
	// One answer in ten is lost where the baseline loses none.
	g, err := sequential.NewGate(0.02, 0.05, 0)
	if err != nil {
		panic(err)
	}
	for g.Decision() == sequential.Undecided {
		d := 0.0
		if g.N()%10 == 9 {
			d = -1
		}
		if _, err := g.Add([]float64{d}); err != nil {
			panic(err)
		}
	}
	fmt.Printf("%s after %d items\n", g.Decision(), g.N())
	// Output: worse after 120 items
}

func TestSequentialShrink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := rapid.IntRange(1, 3).Draw(t, "block")
		x := differences(t, "x", 20)
		x = x[:len(x)/block*block]
		gone := block * rapid.IntRange(0, 5).Draw(t, "gone")
		rest := block * rapid.IntRange(0, 20).Draw(t, "rest")
		late := rapid.IntRange(0, len(x)/block).Draw(t, "after")
		n := len(x) + rest
		if n == 0 {
			return
		}
		rope := rapid.SampledFrom([]float64{0, .02, .3}).Draw(t, "rope")
		whole, small := ropeTest(t, rope, .05, n+gone), ropeTest(t, rope, .05, n)
		wholeGate, smallGate := gate(t, rope, .05, n+gone), gate(t, rope, .05, n)
		for i := 0; i <= len(x)/block; i++ {
			if i == late && whole.Decision() == sequential.Undecided && wholeGate.Decision() == sequential.Undecided {
				if err := errors.Join(whole.Shrink(gone), wholeGate.Shrink(gone)); err != nil {
					t.Fatal(err)
				}
			} else if i == late {
				return // a decision is final
			}
			if i == len(x)/block {
				break
			}
			part := x[i*block : (i+1)*block]
			for _, add := range []func([]float64) (sequential.Decision, error){whole.Add, small.Add, wholeGate.Add, smallGate.Add} {
				if _, err := add(part); err != nil {
					t.Fatal(err)
				}
			}
		}
		if whole.Decision() != small.Decision() || whole.Interval() != small.Interval() {
			t.Fatalf("%q %v, and %q %v of the smaller one", whole.Decision(), whole.Interval(), small.Decision(), small.Interval())
		}
		if wholeGate.Decision() != smallGate.Decision() || wholeGate.Interval() != smallGate.Interval() {
			t.Fatalf("gate: %q and %q of the smaller one", wholeGate.Decision(), smallGate.Decision())
		}
	})
}

// The last unseen item may be removed, and then the mean decides.
func TestSequentialShrinkToTheEnd(t *testing.T) {
	s, g := ropeTest(t, .02, .05, 3), gate(t, .02, .05, 3)
	for _, x := range []float64{0, .01} {
		_, errs := s.Add([]float64{x})
		_, errg := g.Add([]float64{x})
		if err := errors.Join(errs, errg); err != nil {
			t.Fatal(err)
		}
	}
	if s.Decision() != sequential.Undecided || g.Decision() != sequential.Undecided {
		t.Fatalf("%q and %q after two of three", s.Decision(), g.Decision())
	}
	if err := errors.Join(s.Shrink(1), g.Shrink(1)); err != nil {
		t.Fatal(err)
	}
	if s.Decision() != sequential.Equivalent || g.Decision() != sequential.Pass {
		t.Errorf("%q and %q after two of two", s.Decision(), g.Decision())
	}
	none := ropeTest(t, .02, .05, 3)
	if err := none.Shrink(3); err != nil || none.Decision() != sequential.Undecided || none.Interval() != (stats.Interval{Low: -1, High: 1}) {
		t.Errorf("nothing was answered: %v, %q, %v", err, none.Decision(), none.Interval())
	}
	if _, err := none.Add([]float64{0}); err == nil {
		t.Error("a value of a benchmark of none")
	}
}

// The interval is what single capitals do not reject.
func TestSequentialInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := differences(t, "x", 60)
		n := rapid.SampledFrom([]int{0, len(x) + 1, len(x) + 40}).Draw(t, "n")
		alpha := rapid.SampledFrom([]float64{.05, .5, .9}).Draw(t, "alpha")
		s := ropeTest(t, .02, alpha, n)
		for _, v := range x {
			if _, err := s.Add([]float64{v}); err != nil {
				t.Fatal(err)
			}
		}
		rejects := func(m, sign float64) bool {
			c := sequential.NewWealth(m, n)
			for _, v := range x {
				c.Add([]float64{sign * v})
			}
			return c.Max() >= 2/alpha
		}
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		in, unseen := s.Interval(), float64(n-len(x))
		if in.Low == -1 && in.High == 1 {
			// Nothing is rejected, or everything.
			some, all := false, true
			for m := -1.0; m <= 1; m += 1. / 64 {
				out := rejects(m, 1) || rejects(-m, -1) || n > 0 && (m < (sum-unseen)/float64(n) || m > (sum+unseen)/float64(n))
				some, all = some || out, all && out
			}
			if some && !all {
				t.Fatalf("%v, n %d: some means are rejected, and the interval holds all", x, n)
			}
			return
		}
		for _, end := range []struct{ m, sign, sure float64 }{
			{in.Low, 1, (sum - unseen) / float64(n)},
			{-in.High, -1, (-sum - unseen) / float64(n)},
		} {
			if n > 0 && math.Abs(end.m-end.sure) < 1e-6 {
				continue // what the unseen items can still do
			}
			if end.m > -1 && !rejects(end.m-1e-6, end.sign) || rejects(end.m+1e-6, end.sign) {
				t.Fatalf("%v, n %d: %v ends at another place", x, n, in)
			}
		}
	})
}

// Values in an order that is not random can reject every mean.
func TestSequentialIntervalOfNothing(t *testing.T) {
	s := ropeTest(t, .02, .05, 0)
	for i := range 400 {
		v := 1.0
		if i >= 100 {
			v = -1
		}
		_, _ = s.Add([]float64{v})
	}
	if in := s.Interval(); in != (stats.Interval{Low: -1, High: 1}) || s.Decision() != sequential.Better {
		t.Errorf("%v, %q", in, s.Decision())
	}
	full := ropeTest(t, .02, .05, 400)
	for i := range 400 {
		_, _ = full.Add([]float64{float64(1 - 2*(i/200))})
	}
	if in := full.Interval(); in != (stats.Interval{}) {
		t.Errorf("%v of a benchmark whose mean is 0", in)
	}
}
