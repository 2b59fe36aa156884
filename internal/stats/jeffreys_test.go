package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

// Computed by another program, to six digits; the last from the quantiles of half a
// chi-squared variable of three degrees of freedom, to which n times the share tends.
func TestJeffreysReference(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		lo, hi, tol  float64
	}{
		{0, 10, 0, 0.217196, 5e-7},
		{7, 10, 0.394182, 0.907305, 5e-7},
		{172, 180, 0.917898, 0.978767, 5e-7},
		{900, 1440, 0.599765, 0.649734, 5e-7},
		{10, 10, 0.782804, 1, 5e-7},
		{1, 180, 0.000600, 0.025669, 5e-7},
		{80, 180, 0.373220, 0.517439, 5e-7},
		{1, 1e9, 0.2157953 / 2e9, 9.348404 / 2e9, 1e-15},
	} {
		lo, hi := stats.Jeffreys(c.successes, c.n, 0.95)
		if math.Abs(lo-c.lo) > c.tol || math.Abs(hi-c.hi) > c.tol {
			t.Errorf("Jeffreys(%d, %d, 0.95) = [%v, %v], want [%v, %v]", c.successes, c.n, lo, hi, c.lo, c.hi)
		}
	}
}

func TestJeffreysWithoutMeaning(t *testing.T) {
	for _, c := range []struct {
		successes, n int
		confidence   float64
	}{{0, 0, 0.95}, {-1, 10, 0.95}, {11, 10, 0.95}, {0, -1, 0.95}, {5, 10, 0}, {5, 10, 1}, {5, 10, math.NaN()}} {
		if lo, hi := stats.Jeffreys(c.successes, c.n, c.confidence); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("Jeffreys(%d, %d, %v) = [%v, %v], want NaN", c.successes, c.n, c.confidence, lo, hi)
		}
	}
}

func TestJeffreysProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1<<30).Draw(t, "n")
		s := rapid.IntRange(0, n).Draw(t, "successes")
		lo, hi := stats.Jeffreys(s, n, 0.95)
		share := float64(s) / float64(n)
		if !(0 <= lo && lo <= share && share <= hi && hi <= 1 && lo < hi) || (lo == 0) != (s == 0) || (hi == 1) != (s == n) {
			t.Fatalf("[%v, %v] around %d of %d", lo, hi, s, n)
		}
		if flo, fhi := stats.Jeffreys(n-s, n, 0.95); math.Abs(flo-(1-hi)) > 1e-12 || math.Abs(fhi-(1-lo)) > 1e-12 {
			t.Fatalf("[%v, %v] is not the mirror of [%v, %v]", flo, fhi, lo, hi)
		}
	})
}

// The ends are the quantiles of the posterior over 0 and 1 that the comparison of
// pairs uses.
func TestJeffreysIsAPosterior(t *testing.T) {
	for _, c := range [][2]int{{1, 3}, {7, 10}, {172, 180}} {
		s, n := float64(c[0]), float64(c[1])
		lo, hi := stats.Jeffreys(c[0], c[1], 0.9)
		ends := posterior(t, []float64{0, 1}, []float64{n - s + 0.5, s + 0.5}).Interval(0.9)
		if math.Abs(lo-ends.Low) > 1e-7 || math.Abs(hi-ends.High) > 1e-7 {
			t.Errorf("%v: [%v, %v] and %v", c, lo, hi, ends)
		}
	}
}

// Computed by another program, to six digits.
func ExampleJeffreys() {
	lo, hi := stats.Jeffreys(172, 180, 0.95)
	fmt.Printf("%.6f to %.6f\n", lo, hi)
	// Output: 0.917898 to 0.978767
}
