package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
)

// An answer that is right in nine of ten trials differs from its repeat with a standard
// deviation of (2 × 0.9 × 0.1)^½. Without the anchors it would take ((1.960 + 0.842) ×
// 0.4243/0.05)² = 566 items.
func ExampleItemsToPass() {
	sd := math.Sqrt(2 * 0.9 * 0.1)
	n, err := stats.ItemsToPass(sd, 0.05, 0.05, 0.8)
	fmt.Println(n, err)
	// Output: 569 <nil>
}

func ExampleMarginToPass() {
	sd := math.Sqrt(2 * 0.9 * 0.1)
	fmt.Printf("%.3f\n", stats.MarginToPass(sd, 100, 0.05, 0.8))
	// Output: 0.121
}

func TestItemsToPassRefuses(t *testing.T) {
	for _, c := range []struct{ sd, margin, alpha, power float64 }{
		{-1, 0.05, 0.05, 0.8}, {math.NaN(), 0.05, 0.05, 0.8}, {math.Inf(1), 0.05, 0.05, 0.8},
		{0.4, 0, 0.05, 0.8}, {0.4, math.NaN(), 0.05, 0.8}, {0.4, 0.05, 0, 0.8}, {0.4, 0.05, 0.05, 1}, {0.4, 1e-12, 0.05, 0.8},
	} {
		n, err := stats.ItemsToPass(c.sd, c.margin, c.alpha, c.power)
		var bad *stats.BadValue
		if !errors.As(err, &bad) {
			t.Errorf("%+v: %d, %v", c, n, err)
		}
	}
	if m := stats.MarginToPass(0.4, 0, 0.05, 0.8); !math.IsNaN(m) {
		t.Errorf("no items pass at %v", m)
	}
}

func TestItemsToPassProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sd := rapid.Float64Range(0, 1).Draw(t, "sd")
		margin := rapid.Float64Range(0.01, 0.5).Draw(t, "margin")
		n, err := stats.ItemsToPass(sd, margin, 0.05, 0.8)
		if err != nil || n < 1 {
			t.Fatalf("%d, %v", n, err)
		}
		if stats.MarginToPass(sd, n, 0.05, 0.8) > margin || n > 1 && stats.MarginToPass(sd, n-1, 0.05, 0.8) <= margin {
			t.Fatalf("%d is not the least number of items", n)
		}
		more, err := stats.ItemsToPass(sd, margin, 0.05, 0.95)
		if err != nil || more < n {
			t.Fatalf("%d items pass more often than %d, %v", more, n, err)
		}
	})
}

// As many unchanged endpoints pass as the formula says, not counting those that bets
// let pass earlier.
func TestItemsToPassSimulated(t *testing.T) {
	for _, p := range []float64{0.9, 0.97} {
		sd := math.Sqrt(2 * p * (1 - p))
		n, err := stats.ItemsToPass(sd, 0.1, 0.05, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		luck := rand.New(rand.NewPCG(1, 2))
		const runs = 2000
		passed := 0
		for range runs {
			var counts [3]float64
			for range n {
				a, b := luck.Float64() < p, luck.Float64() < p
				switch {
				case a == b:
					counts[1]++
				case a:
					counts[0]++
				default:
					counts[2]++
				}
			}
			post, err := stats.NewPosterior([]float64{-1, 0, 1}, []float64{counts[0] + 0.5, counts[1] + 0.5, counts[2] + 0.5})
			if err != nil {
				t.Fatal(err)
			}
			if post.Above(-0.1) >= 0.975 {
				passed++
			}
		}
		// The normal approximation is good to some points, however many runs there are.
		if share := float64(passed) / runs; math.Abs(share-0.8) > 0.05 {
			t.Errorf("right %v of the time: %.3f of checks over %d items pass", p, share, n)
		}
	}
}
