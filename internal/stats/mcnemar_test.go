package stats_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

func TestSignTestReference(t *testing.T) {
	for _, c := range []struct {
		b, c      int64
		want, tol float64
	}{
		{10, 3, .092285, 5e-7}, // computed by another program
		{30, 12, .007916, 5e-7},
		{7, 1, .0703125, 1e-15},
		{6, 0, .03125, 1e-15},
		{5, 5, 1, 0},
		{1, 0, 1, 1e-15},
		{0, 0, 1, 0},
		{0, 1000, 1.8665272370064378e-301, 1e-310}, // 2^-999
	} {
		if got := stats.SignTest(c.b, c.c); !(math.Abs(got-c.want) <= c.tol) {
			t.Errorf("SignTest(%d, %d) = %v, want %v", c.b, c.c, got, c.want)
		}
		if got := stats.SignTest(c.c, c.b); !(math.Abs(got-c.want) <= c.tol) {
			t.Errorf("SignTest(%d, %d) = %v, want %v", c.c, c.b, got, c.want)
		}
	}
}

// Against the sum of binomial coefficients, as integers.
func TestSignTestProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.Int64Range(0, 300).Draw(t, "b")
		c := rapid.Int64Range(0, 300).Draw(t, "c")
		n, k := b+c, min(b, c)
		twice, term := new(big.Int), new(big.Int)
		for i := int64(0); i <= k; i++ {
			term.Binomial(n, i)
			twice.Add(twice, term)
			twice.Add(twice, term)
		}
		want, _ := new(big.Rat).SetFrac(twice, new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
		want = min(want, 1)
		if got := stats.SignTest(b, c); math.Abs(got-want) > min(1e-11, 1e-7*want) {
			t.Fatalf("SignTest(%d, %d) = %v, want %v", b, c, got, want)
		}
	})
}

// Of 21 children the airways of 8 changed after a transplantation, 1 for the better
// and 7 for the worse (Fagerland, Lydersen and Laake 2013, table 5).
func ExampleSignTest() {
	fmt.Printf("%.3f\n", stats.SignTest(1, 7))
	// Output: 0.070
}

// strataOf collects differences in one cell.
func strataOf(t testing.TB, differences ...float64) *stats.Strata {
	t.Helper()
	var s stats.Strata
	for _, d := range differences {
		if err := s.Add(0, d); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

// TestSignFlipIsExact compares the p-value with all sign patterns of up to 12 differences.
func TestSignFlipIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := []float64{0, 1, 1, 1. / 3, 2. / 3, .25, .1}
	for range 300 {
		d := make([]float64, 1+r.IntN(12))
		sum := 0.0
		for i := range d {
			d[i] = sizes[r.IntN(len(sizes))] * float64(2*r.IntN(2)-1)
			sum += d[i]
		}
		extreme := 0.0
		for pattern := range 1 << len(d) {
			flipped := 0.0
			for i, x := range d {
				flipped += x * float64(2*(pattern>>i&1)-1)
			}
			if math.Abs(flipped) >= math.Abs(sum)-1e-9 {
				extreme++
			}
		}
		want := extreme / float64(int(1)<<len(d))
		if got := strataOf(t, d...).SignFlip(); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v: %v, want %v", d, got, want)
		}
	}
}

// TestSignFlipReference holds the exact McNemar test of spec values: (10,3) and (30,12).
func TestSignFlipReference(t *testing.T) {
	for _, c := range []struct {
		up, down int
		want     float64
	}{{10, 3, .09228515625}, {30, 12, .0079158}, {6, 0, .03125}, {5, 0, .0625}, {4, 4, 1}, {0, 0, 1}} {
		var d []float64
		for range c.up {
			d = append(d, 1)
		}
		for range c.down {
			d = append(d, -1)
		}
		got := strataOf(t, append(d, 0)...).SignFlip()
		if math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%d and %d: %v, want %v", c.up, c.down, got, c.want)
		}
	}
}

// TestSignFlipOfManySizes compares the saddlepoint approximation with random signs.
func TestSignFlipOfManySizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{15, 40, 200} {
		d := make([]float64, n)
		sum := 0.0
		for i := range d {
			d[i] = r.Float64() * r.Float64()
			if r.Float64() < .35 {
				d[i] = -d[i]
			}
			sum += d[i]
		}
		const runs = 100_000
		extreme := 0.0
		for range runs {
			flipped, bits := 0.0, uint64(0)
			for i, x := range d {
				if i%64 == 0 {
					bits = r.Uint64()
				}
				if bits&1 == 0 {
					x = -x
				}
				bits >>= 1
				flipped += x
			}
			if math.Abs(flipped) >= math.Abs(sum) {
				extreme++
			}
		}
		want := extreme / runs
		got := strataOf(t, d...).SignFlip()
		if tolerance := 5*math.Sqrt(want*(1-want)/runs) + .02*want; math.Abs(got-want) > tolerance {
			t.Errorf("%d items: %v, want %v ± %v", n, got, want, tolerance)
		}
		mirrored := make([]float64, n)
		for i := range d {
			mirrored[i] = -d[i]
		}
		if other := strataOf(t, mirrored...).SignFlip(); other != got {
			t.Errorf("%d items: %v, mirrored %v", n, got, other)
		}
	}
}

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
