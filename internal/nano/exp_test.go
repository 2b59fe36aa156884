package nano

import (
	"math"
	"testing"
)

// TestExp compares exp with math.Exp all over its range.
func TestExp(t *testing.T) {
	worst := 0.0
	for i := range 870_000 {
		x := float32(-i) / 10_000
		want := math.Exp(float64(x))
		worst = max(worst, math.Abs(float64(exp(x))-want)/want)
	}
	if worst > 1.5e-7 {
		t.Errorf("the relative error is up to %g", worst)
	}
	for x, want := range map[float32]float32{0: 1, -87: 0, -1000: 0, float32(math.Inf(-1)): 0, float32(math.NaN()): 0} {
		if got := exp(x); got != want {
			t.Errorf("exp(%g) = %g, want %g", x, got, want)
		}
	}
}

// TestRotations compares the angles with those of package math.
func TestRotations(t *testing.T) {
	for _, pairs := range []int{4, 16, 32} {
		for at, r := range rotations(1000, pairs) {
			position, pair := at/pairs, at%pairs
			angle := float64(position) * math.Pow(1000, -float64(pair)/float64(pairs))
			if math.Abs(float64(r.cos)-math.Cos(angle)) > 5e-8 || math.Abs(float64(r.sin)-math.Sin(angle)) > 5e-8 {
				t.Fatalf("%d pairs, position %d, pair %d: %v, want an angle of %g", pairs, position, pair, r, angle)
			}
		}
	}
}

// TestTurn turns pairs by a right angle and by none.
func TestTurn(t *testing.T) {
	head := []float32{1, 2, 3, 4}
	turn(head, []rotation{{0, 1}, {1, 0}})
	if want := [4]float32{-3, 2, 1, 4}; [4]float32(head) != want {
		t.Errorf("turned to %v, want %v", head, want)
	}
}
