package stats_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

func TestMcNemarReference(t *testing.T) {
	for _, c := range []struct {
		b, c      int64
		want, tol float64
	}{
		{10, 3, .057373, 5e-7}, // computed by another program
		{30, 12, .005402, 5e-7},
		{6, 0, .015625, 1e-15},
		{5, 5, 1, 0},
		{1, 0, 0.5, 1e-15},
		{0, 0, 1, 0},
		{500000, 501000, 0.317552599431693, 1e-12}, // binomial probabilities added up with 30 digits
		{500000, 500001, 0.999202116436551, 1e-12},
		{0, 1000, 9.332636185032189e-302, 1e-310}, // 2^-1000
	} {
		if got := stats.McNemar(c.b, c.c); !(math.Abs(got-c.want) <= c.tol) {
			t.Errorf("McNemar(%d, %d) = %v, want %v", c.b, c.c, got, c.want)
		}
		if got := stats.McNemar(c.c, c.b); !(math.Abs(got-c.want) <= c.tol) {
			t.Errorf("McNemar(%d, %d) = %v, want %v", c.c, c.b, got, c.want)
		}
	}
	for _, c := range [][2]int64{{-1, 3}, {3, -1}} {
		if got := stats.McNemar(c[0], c[1]); !math.IsNaN(got) {
			t.Errorf("McNemar(%d, %d) = %v", c[0], c[1], got)
		}
	}
}

// Against the sum of binomial coefficients, as integers.
func TestMcNemarProperty(t *testing.T) {
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
		want, _ := new(big.Rat).SetFrac(twice.Sub(twice, term), new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
		if b == c {
			want = 1
		}
		if got := stats.McNemar(b, c); math.Abs(got-want) > min(1e-11, 1e-7*want) {
			t.Fatalf("McNemar(%d, %d) = %v, want %v", b, c, got, want)
		}
	})
}

// Of 21 children the airways of 8 changed after a transplantation, 1 for the better
// and 7 for the worse: p = 0.039 (Fagerland, Lydersen and Laake 2013, table 5).
func ExampleMcNemar() {
	fmt.Printf("%.3f\n", stats.McNemar(1, 7))
	// Output: 0.039
}
