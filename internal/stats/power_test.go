package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/oracle"
	"verbatim/internal/stats"
)

// The figures of the tests and examples of this file were computed by another
// program.

func TestItems(t *testing.T) {
	number := func(n int64, err error) int64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"detect .01", number(stats.ItemsToDetect(0.2, 0.01, 0.05, 0.8)), 3140},
		{"detect -.02", number(stats.ItemsToDetect(0.2, -0.02, 0.05, 0.8)), 785},
		{"detect .03", number(stats.ItemsToDetect(0.2, 0.03, 0.05, 0.8)), 349},
		{"detect .05", number(stats.ItemsToDetect(0.2, 0.05, 0.05, 0.8)), 126},
		{"detect .1", number(stats.ItemsToDetect(0.2, 0.1, 0.05, 0.8)), 32},
		{"sd .1, .1", number(stats.ItemsToDetect(0.1, 0.1, 0.05, 0.8)), 8},
		{"beyond .03", number(stats.ItemsBeyond(0.2, 0.03, 0.02, 0.05, 0.8)), 3140},
		{"beyond -.05", number(stats.ItemsBeyond(0.2, -0.05, 0.02, 0.05, 0.8)), 349},
		{"beyond .1", number(stats.ItemsBeyond(0.2, 0.1, 0.02, 0.05, 0.8)), 50},
		{"equivalent, rope .02", number(stats.ItemsEquivalent(0.2, 0, 0.02, 0.05, 0.8)), 857},
		{"equivalent, rope .05", number(stats.ItemsEquivalent(0.2, 0, 0.05, 0.05, 0.8)), 138},
		{"equivalent at .01", number(stats.ItemsEquivalent(0.2, 0.01, 0.02, 0.05, 0.8)), 2474},
		{"equivalent at -.01", number(stats.ItemsEquivalent(0.2, -0.01, 0.02, 0.05, 0.8)), 2474},
		{"sd .1, rope .02", number(stats.ItemsEquivalent(0.1, 0, 0.02, 0.05, 0.8)), 215},
		{"sd .1, rope .05", number(stats.ItemsEquivalent(0.1, 0, 0.05, 0.05, 0.8)), 35},
		{"hardly any", number(stats.ItemsToDetect(0.001, 0.9, 0.05, 0.8)), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
	for _, c := range []struct{ got, want float64 }{
		{stats.Detectable(0.2, 180, 0.05, 0.8), .0418}, {stats.Detectable(0.2, 1440, 0.05, 0.8), .0148},
	} {
		if math.Abs(c.got-c.want) > 5e-5 {
			t.Errorf("detectable %v, want %v", c.got, c.want)
		}
	}
}

// All figures of the file that the other program wrote.
func TestItemsOfTheOracle(t *testing.T) {
	data, err := os.ReadFile(oracle.Path(t, "stats/power.txt"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`^sd (\S+) n to detect .*: \[(\d+), (\d+), (\d+), (\d+), (\d+)\] better-than-ROPE\(.02\) at .03/.05/.1 \[(\d+), (\d+), (\d+)\] equiv rho .02/.05 at 0 (\d+) (\d+) equiv .02 at .01 (\d+) MDE n=180/1440 (\S+) (\S+)$`)
	n := 0
	for row := range strings.Lines(string(data)) {
		m := line.FindStringSubmatch(strings.TrimSpace(row))
		if m == nil {
			continue
		}
		n++
		sd := number(t, m[1])
		check := func(i int) func(got int64, err error) {
			return func(got int64, err error) {
				t.Helper()
				if err != nil || fmt.Sprint(got) != m[i] {
					t.Errorf("sd %v: %d, %v, want %s", sd, got, err, m[i])
				}
			}
		}
		for i, delta := range []float64{0.01, 0.02, 0.03, 0.05, 0.1} {
			check(2 + i)(stats.ItemsToDetect(sd, delta, 0.05, 0.8))
		}
		for i, delta := range []float64{0.03, 0.05, 0.1} {
			check(7 + i)(stats.ItemsBeyond(sd, delta, 0.02, 0.05, 0.8))
		}
		check(10)(stats.ItemsEquivalent(sd, 0, 0.02, 0.05, 0.8))
		check(11)(stats.ItemsEquivalent(sd, 0, 0.05, 0.05, 0.8))
		check(12)(stats.ItemsEquivalent(sd, 0.01, 0.02, 0.05, 0.8))
		for i, items := range []int64{180, 1440} {
			if got := fmt.Sprintf("%.4f", stats.Detectable(sd, items, 0.05, 0.8)); got != m[13+i] {
				t.Errorf("sd %v: %s detectable with %d, want %s", sd, got, items, m[13+i])
			}
		}
	}
	if n != 4 {
		t.Errorf("%d lines of 4", n)
	}
}

// As many items as are returned reach the power, and one less does not.
func TestItemsEquivalentProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			sd    = rapid.Float64Range(0.01, 1).Draw(t, "sd")
			rope  = rapid.Float64Range(0.01, 0.5).Draw(t, "rope")
			delta = rope * rapid.Float64Range(-0.95, 0.95).Draw(t, "share of rope")
			power = rapid.Float64Range(0.1, 0.99).Draw(t, "power")
		)
		n, err := stats.ItemsEquivalent(sd, delta, rope, 0.05, power)
		if err != nil {
			t.Fatal(err)
		}
		reached := func(n int64) float64 {
			root, z := math.Sqrt(float64(n))/sd, stats.NormalQuantile(0.95)
			return stats.Normal((rope-delta)*root-z) - stats.Normal(z-(rope+delta)*root)
		}
		if reached(n) < power-1e-9 || n > 1 && reached(n-1) > power+1e-9 {
			t.Fatalf("%d items reach %v, %d reach %v, wanted %v", n, reached(n), n-1, reached(n-1), power)
		}
	})
}

func TestItemsRefuse(t *testing.T) {
	nan := math.NaN()
	refused := func(name string) func(n int64, err error) {
		return func(n int64, err error) {
			t.Helper()
			var bad *stats.BadValue
			if !errors.As(err, &bad) || bad.Index != -1 || n != 0 {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
	}
	for _, sd := range []float64{0, -1, nan, math.Inf(1)} {
		refused("sd")(stats.ItemsToDetect(sd, 0.1, 0.05, 0.8))
		refused("sd")(stats.ItemsBeyond(sd, 0.1, 0.02, 0.05, 0.8))
		refused("sd")(stats.ItemsEquivalent(sd, 0, 0.02, 0.05, 0.8))
	}
	for _, c := range [][2]float64{{0, 0.8}, {1, 0.8}, {nan, 0.8}, {0.05, 0.05}, {0.05, 1}, {0.05, nan}} {
		refused("rates")(stats.ItemsToDetect(0.2, 0.1, c[0], c[1]))
		refused("rates")(stats.ItemsBeyond(0.2, 0.1, 0.02, c[0], c[1]))
		refused("rates")(stats.ItemsEquivalent(0.2, 0, 0.02, c[0], c[1]))
	}
	refused("no difference")(stats.ItemsToDetect(0.2, 0, 0.05, 0.8))
	refused("no difference")(stats.ItemsToDetect(0.2, nan, 0.05, 0.8))
	refused("too small a difference")(stats.ItemsToDetect(0.2, 1e-12, 0.05, 0.8))
	refused("on the bound")(stats.ItemsBeyond(0.2, 0.02, 0.02, 0.05, 0.8))
	refused("within")(stats.ItemsBeyond(0.2, -0.01, 0.02, 0.05, 0.8))
	refused("rope")(stats.ItemsBeyond(0.2, 0.01, -0.02, 0.05, 0.8))
	refused("rope")(stats.ItemsEquivalent(0.2, 0, nan, 0.05, 0.8))
	refused("no rope")(stats.ItemsEquivalent(0.2, 0, 0, 0.05, 0.8))
	refused("on the bound")(stats.ItemsEquivalent(0.2, -0.02, 0.02, 0.05, 0.8))
	refused("beyond")(stats.ItemsEquivalent(0.2, nan, 0.02, 0.05, 0.8))
	for _, d := range []float64{stats.Detectable(0, 10, 0.05, 0.8), stats.Detectable(0.2, 0, 0.05, 0.8), stats.Detectable(0.2, 10, 0, 0.8)} {
		if !math.IsNaN(d) {
			t.Errorf("%v without a meaning", d)
		}
	}
}

func ExampleItemsToDetect() {
	n, err := stats.ItemsToDetect(0.2, 0.05, 0.05, 0.8)
	fmt.Println(n, err)
	// Output: 126 <nil>
}

func ExampleItemsBeyond() {
	n, err := stats.ItemsBeyond(0.2, 0.05, 0.02, 0.05, 0.8)
	fmt.Println(n, err)
	// Output: 349 <nil>
}

func ExampleItemsEquivalent() {
	n, err := stats.ItemsEquivalent(0.2, 0, 0.02, 0.05, 0.8)
	fmt.Println(n, err)
	// Output: 857 <nil>
}

func ExampleDetectable() {
	fmt.Printf("%.4f\n", stats.Detectable(0.2, 1440, 0.05, 0.8))
	// Output: 0.0148
}

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
