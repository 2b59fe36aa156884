package sequential_test

import (
	"errors"
	"math"
	"testing"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
)

func TestSequentialRefuses(t *testing.T) {
	for _, c := range []struct {
		rope, alpha float64
		n           int
	}{
		{-.01, .05, 0}, {math.NaN(), .05, 0}, {math.Inf(1), .05, 0},
		{.02, 0, 0}, {.02, 1, 0}, {.02, math.NaN(), 0}, {.02, .05, -1},
	} {
		if _, err := sequential.NewROPETest(c.rope, c.alpha, c.n); err == nil {
			t.Errorf("a sequential test of %v", c)
		}
		if _, err := sequential.NewGate(c.rope, c.alpha, c.n); err == nil {
			t.Errorf("a gate of %v", c)
		}
	}
	s := ropeTest(t, .02, .05, 8)
	feed := func(x ...float64) error { _, err := s.Add(x); return err }
	var b *stats.BadValue
	if err := feed(0, 0, math.NaN(), 0); !errors.As(err, &b) || b.Index != 2 {
		t.Errorf("a NaN: %v", err)
	}
	if err := feed(0, 0, 0); err == nil {
		t.Error("a block of three does not divide eight")
	}
	if err := feed(0, 0, 0, 0); err != nil {
		t.Error(err)
	}
	if err := feed(0, 0); err == nil {
		t.Error("a block of two after one of four")
	}
	if err := s.Shrink(2); err == nil {
		t.Error("half a block left")
	}
	if err := s.Shrink(8); err == nil {
		t.Error("more left than were unseen")
	}
	if err := s.Shrink(-4); err == nil {
		t.Error("-4 left")
	}
	if err := ropeTest(t, .02, .05, 0).Shrink(1); err == nil {
		t.Error("a population without end shrank")
	}
	if s.N() != 4 {
		t.Errorf("%d were fed, 4 were taken", s.N())
	}
}

// At the end of a benchmark its mean decides, and the edge belongs to the ROPE.
func TestSequentialEnd(t *testing.T) {
	for _, c := range []struct {
		rope float64
		x    []float64
		want sequential.Decision
		gate sequential.Decision // of a margin like the ROPE
	}{
		{.02, []float64{.02, .02, .02}, sequential.Equivalent, sequential.Pass},
		{.02, []float64{-.02, -.02, -.02}, sequential.Equivalent, sequential.Pass},
		{.02, []float64{-.02, -.02, -.021}, sequential.Worse, sequential.Worse},
		{.02, []float64{.02, .02, .021}, sequential.Better, sequential.Pass},
		{0, []float64{.5, -.5, 0}, sequential.Equivalent, sequential.Pass},
		{0, []float64{.5, -.5, .001}, sequential.Better, sequential.Pass},
		{0, []float64{.5, -.5, -.001}, sequential.Worse, sequential.Worse},
		{1, []float64{1, 1, 1}, sequential.Equivalent, sequential.Pass},
	} {
		s, g := ropeTest(t, c.rope, .05, len(c.x)), gate(t, c.rope, .05, len(c.x))
		for _, v := range c.x {
			for _, add := range []func([]float64) (sequential.Decision, error){s.Add, g.Add} {
				if _, err := add([]float64{v}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if s.Decision() != c.want || g.Decision() != c.gate {
			t.Errorf("%v of ROPE %v: %q and %q, want %q and %q", c.x, c.rope, s.Decision(), g.Decision(), c.want, c.gate)
		}
		mean := (c.x[0] + c.x[1] + c.x[2]) / 3
		if in := s.Interval(); in.Low != in.High || math.Abs(in.Low-mean) > 1e-15 {
			t.Errorf("%v: the mean of all is known, %+v", c.x, in)
		}
	}
}

// A mean of 1,440 values that are all on the edge is on the edge.
func TestSequentialEdgeRounding(t *testing.T) {
	for _, v := range []float64{.02, .05, .1, -.02, -.05, -.1, 1. / 3} {
		s := ropeTest(t, math.Abs(v), .05, 1440)
		if d, at := stop(t, s.Add, func(int) float64 { return v }, 1); d != sequential.Equivalent || at != 1440 {
			t.Errorf("1,440 times %v is %q at %d", v, d, at)
		}
	}
}

// A ROPE of no width holds no mean that bets could leave over.
func TestSequentialWithoutRope(t *testing.T) {
	s := ropeTest(t, 0, .05, 0)
	above, below := sequential.NewWealth(0, 0), sequential.NewWealth(0, 0)
	for _, v := range []float64{1, -1} {
		// Either side is rejected at 1/20 and not at 1/40.
		for v > 0 && above.Max() < 20 || v < 0 && below.Max() < 20 {
			if d, err := s.Add([]float64{v}); d != sequential.Undecided || err != nil {
				t.Fatalf("%q after %d, %v", d, s.N(), err)
			}
			above.Add([]float64{v})
			below.Add([]float64{-v})
		}
	}
	if above.Max() < 20 || below.Max() < 20 {
		t.Fatal("nothing was tried")
	}
}

// A ROPE that holds every mean needs no evidence.
func TestSequentialWideRope(t *testing.T) {
	for _, c := range []struct{ rope, x float64 }{{1, .3}, {1.5, 1}, {1.5, -1}, {1e6, 1}} {
		s, g := ropeTest(t, c.rope, .05, 0), gate(t, c.rope, .05, 0)
		if d, err := s.Add([]float64{c.x}); d != sequential.Equivalent || err != nil {
			t.Errorf("ROPE %v: %q, %v", c.rope, d, err)
		}
		if d, err := g.Add([]float64{c.x}); d != sequential.Pass || err != nil {
			t.Errorf("margin %v: %q, %v", c.rope, d, err)
		}
	}
	if _, err := sequential.NewROPETest(1e300, .05, 0); err == nil {
		t.Error("a ROPE of 1e300")
	}
}
