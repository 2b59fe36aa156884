package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"verbatim/internal/stats"
)

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
