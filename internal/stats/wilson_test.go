package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

// The first four were computed by another program, to six digits; the rest are Newcombe 1998 (Statistics in Medicine 17:857–872, table I,
// method 3, printed to four digits).
func TestWilsonReference(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		lo, hi, tol  float64
	}{
		{0, 10, 0, 0.277533, 5e-7},
		{7, 10, 0.396778, 0.892209, 5e-7},
		{172, 180, 0.914763, 0.977310, 5e-7},
		{900, 1440, 0.599694, 0.649641, 5e-7},
		{81, 263, 0.2553, 0.3662, 5e-5},
		{15, 148, 0.0624, 0.1605, 5e-5},
		{0, 20, 0, 0.1611, 5e-5},
		{1, 29, 0.0061, 0.1718, 5e-5},
	} {
		lo, hi := stats.Wilson(c.successes, c.n, 0.95)
		if math.Abs(lo-c.lo) > c.tol || math.Abs(hi-c.hi) > c.tol {
			t.Errorf("Wilson(%d, %d, 0.95) = [%.6f, %.6f], want [%.6f, %.6f]", c.successes, c.n, lo, hi, c.lo, c.hi)
		}
	}
}

func TestWilsonWithoutMeaning(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		confidence   float64
	}{
		{0, 0, 0.95}, {0, -1, 0.95}, {-1, 10, 0.95}, {11, 10, 0.95},
		{5, 10, 0}, {5, 10, 1}, {5, 10, -0.5}, {5, 10, math.NaN()},
	} {
		lo, hi := stats.Wilson(c.successes, c.n, c.confidence)
		if !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("Wilson(%d, %d, %v) = [%v, %v], want NaN", c.successes, c.n, c.confidence, lo, hi)
		}
	}
}

func TestWilsonProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1<<40).Draw(t, "n")
		s := rapid.IntRange(0, n).Draw(t, "successes")
		lo, hi := stats.Wilson(s, n, 0.95)
		share := float64(s) / float64(n)
		if !(0 <= lo && lo <= share && share <= hi && hi <= 1) {
			t.Fatalf("[%v, %v] does not hold %v", lo, hi, share)
		}
		if (s == 0) != (lo == 0) || (s == n) != (hi == 1) {
			t.Fatalf("[%v, %v] touches an end that %d of %d does not", lo, hi, s, n)
		}
		// The interval of the failures mirrors that of the successes.
		flo, fhi := stats.Wilson(n-s, n, 0.95)
		if math.Abs(flo-(1-hi)) > 1e-9 || math.Abs(fhi-(1-lo)) > 1e-9 {
			t.Fatalf("[%v, %v] is not the mirror of [%v, %v]", flo, fhi, lo, hi)
		}
		// More confidence needs more room.
		wlo, whi := stats.Wilson(s, n, 0.99)
		if wlo > lo || whi < hi {
			t.Fatalf("99 %% [%v, %v] is inside 95 %% [%v, %v]", wlo, whi, lo, hi)
		}
	})
}

func ExampleWilson() {
	lo, hi := stats.Wilson(172, 180, 0.95)
	fmt.Printf("172 of 180: %.1f %%, between %.1f and %.1f\n", 100*172.0/180, 100*lo, 100*hi)
	// Output: 172 of 180: 95.6 %, between 91.5 and 97.7
}
