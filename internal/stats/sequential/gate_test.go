package sequential_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

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
			t.Errorf("P(mean > -margin) %v: %q, want %q", c.above, d, c.want)
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
