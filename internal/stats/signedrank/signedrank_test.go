package signedrank_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"

	"verbatim/internal/stats"
	"verbatim/internal/stats/signedrank"
)

// twoClasses are n0 ties and n1 differences of -1.
func twoClasses(n0, n1 int) []float64 {
	d := make([]float64, n0+n1)
	for i := range n1 {
		d[n0+i] = -1
	}
	return d
}

// With two classes the probabilities are known in closed form: "equal" is the largest
// part where the weight of the ties, Beta(n0 + 1/2, n1), is above √½. The figures were
// computed by another program; the published ones are of 50,000 draws.
func TestSignedRankOfTwoClasses(t *testing.T) {
	for _, c := range []struct {
		n0, n1           int
		exact, published float64
	}{
		{15, 5, .7182984283, 0}, {14, 6, .5277708267, 0}, {127, 53, .5003306149, 0}, {130, 50, .6898900522, 0}, {120, 60, .1285958718, 0},
		{141, 39, .9910331404, .99136}, {132, 48, .7963592915, .79614}, {135, 45, .9088834363, .91014}, {138, 42, .9675825447, .96738}, {146, 34, .9994338175, .99934},
	} {
		r, err := signedrank.Test(twoClasses(c.n0, c.n1), 0.1, signedrank.Draws{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Equal-c.exact) > 4*r.SE || math.Abs(r.Smaller+r.Equal-1) > 1e-12 || r.Larger != 0 || r.SE > 0.0023 {
			t.Errorf("%d ties, %d smaller: %+v, want %v", c.n0, c.n1, r, c.exact)
		}
		beta := 1 - mathext.RegIncBeta(float64(c.n0)+0.5, float64(c.n1), math.Sqrt(0.5))
		if math.Abs(c.exact-beta) > 5e-10 {
			t.Errorf("%d ties, %d smaller: %v, but the beta distribution gives %v", c.n0, c.n1, c.exact, beta)
		}
		if c.published > 0 && math.Abs(c.exact-c.published) > 4*math.Sqrt(c.exact*(1-c.exact)/50_000) {
			t.Errorf("%d ties, %d smaller: %v, published %v", c.n0, c.n1, c.exact, c.published)
		}
	}
}

func TestSignedRankEdges(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name                   string
		d                      []float64
		rope                   float64
		smaller, equal, larger float64
	}{
		{"all ties", []float64{0, 0, 0}, 0.1, 0, 1, 0},
		{"all ties, no ROPE", []float64{0, 0, 0}, 0, 1, 0, 0},
		{"negative zero", []float64{math.Copysign(0, -1), 0}, 0.1, 0, 1, 0},
		{"all undefined", []float64{nan, nan, nan}, 0.1, 0, 1, 0},
		{"all undefined, no ROPE", []float64{nan, nan, nan}, 0, 1, 0, 0},
		{"ties and undefined", []float64{0, nan, nan}, 0.1, 0, 1, 0},
		{"inside the ROPE", []float64{0.05, -0.05, 0.01}, 0.1, 0, 1, 0},
		// 0.1 + 0.1 is on the edge of 2·0.1, so half of each such pair is larger.
		// W = weight of 0.1: larger is W²/2, which is never above the rest.
		{"on the edge of the ROPE", []float64{0.1}, 0.1, 0, 1, 0},
	} {
		r, err := signedrank.Test(c.d, c.rope, signedrank.Draws{Max: 200})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if r.Smaller != c.smaller || r.Equal != c.equal || r.Larger != c.larger {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

func TestSignedRankRefusals(t *testing.T) {
	one := []float64{0.5}
	for name, err := range map[string]error{
		"an infinity":      second(signedrank.Test([]float64{0, math.Inf(1)}, 0.1, signedrank.Draws{})),
		"a negative ROPE":  second(signedrank.Test(one, -0.1, signedrank.Draws{})),
		"a NaN as ROPE":    second(signedrank.Test(one, math.NaN(), signedrank.Draws{})),
		"an infinite ROPE": second(signedrank.Test(one, math.Inf(1), signedrank.Draws{})),
		"one draw":         second(signedrank.Test(one, 0.1, signedrank.Draws{Max: 1})),
		"a negative error": second(signedrank.Test(one, 0.1, signedrank.Draws{SE: -1})),
		"an error of NaN":  second(signedrank.Test(one, 0.1, signedrank.Draws{SE: math.NaN()})),
		"a tiny wish":      second(signedrank.Test(one, 0.1, signedrank.Draws{Max: -5})),
	} {
		var bad *stats.BadValue
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := signedrank.Test(nil, 0.1, signedrank.Draws{}); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("no differences: %v", err)
	}
}

func second(_ signedrank.Result, err error) error { return err }

// defined is the test as it is defined: pair by pair, with a draw of its own for every
// difference.
func defined(d []float64, rope float64, draws int) [3]float64 {
	r := rand.New(rand.NewPCG(7, 7))
	z := append([]float64{0}, d...)
	w := make([]float64, len(z))
	past := func(sum float64) float64 {
		switch {
		case sum > 2*rope:
			return 1
		case sum == 2*rope:
			return 0.5
		}
		return 0
	}
	var wins [3]float64
	for range draws {
		normal := r.NormFloat64()
		total := normal * normal / 2
		w[0] = total
		for i := range d {
			w[i+1] = r.ExpFloat64()
			total += w[i+1]
		}
		var smaller, larger float64
		for i := range z {
			for j := range z {
				smaller += w[i] * w[j] * past(-(z[i] + z[j]))
				larger += w[i] * w[j] * past(z[i]+z[j])
			}
		}
		equal := total*total - smaller - larger
		if rope == 0 {
			smaller, equal = total*total-larger, 0
		}
		switch most := max(smaller, equal, larger); {
		case smaller == most:
			wins[0]++
		case equal == most:
			wins[1]++
		default:
			wins[2]++
		}
	}
	for q := range wins {
		wins[q] /= float64(draws)
	}
	return wins
}

// The computation agrees with the definition for whatever differences, at ROPEs that sums
// fall on too.
func TestSignedRankAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.SampledFrom([]float64{0.125, 0.25, 0.5}).Draw(t, "step")
		n := rapid.IntRange(1, 12).Draw(t, "n")
		d := make([]float64, n)
		for i := range d {
			d[i] = step * float64(rapid.IntRange(-3, 3).Draw(t, "d"))
			if rapid.IntRange(0, 9).Draw(t, "undefined") == 0 {
				d[i] = math.NaN()
			}
		}
		rope := step * rapid.SampledFrom([]float64{0, 0.5, 0.75, 1, 2}).Draw(t, "rope")
		a, err := signedrank.Test(d, rope, signedrank.Draws{Max: 4000})
		if err != nil {
			t.Fatal(err)
		}
		byDefinition := defined(d, rope, 4000)
		if tied := !slices.ContainsFunc(d, func(v float64) bool { return v < 0 || v > 0 }); tied && rope == 0 {
			byDefinition = [3]float64{1} // smaller and larger are equal but for rounding
		}
		for q, p := range [3]float64{a.Smaller, a.Equal, a.Larger} {
			// Six standard errors, for there are thousands of them here.
			if tol := 6*math.Sqrt((p+1e-3)*(1-p+1e-3)/4000) + 6*a.SE; math.Abs(byDefinition[q]-p) > tol {
				t.Fatalf("%v, rope %v: %+v, by definition %v", d, rope, a, byDefinition)
			}
		}
		if sum := a.Smaller + a.Equal + a.Larger; math.Abs(sum-1) > 1e-9 || min(a.Smaller, a.Equal, a.Larger) < 0 {
			t.Fatalf("%+v adds up to %v", a, sum)
		}
	})
}

// The same seed gives the same result, another one another; order does not matter.
func TestSignedRankSeed(t *testing.T) {
	d := []float64{0, 0, 0, -0.1, 0.2, 0.3, -0.4, 0.5, 0.7, 0, 0.04}
	turned := make([]float64, len(d))
	for i, v := range d {
		turned[len(d)-1-i] = v
	}
	run := func(d []float64, seed uint64) signedrank.Result {
		r, err := signedrank.Test(d, 0.05, signedrank.Draws{Seed: seed, Max: 2000, SE: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if a, b := run(d, 0), run(turned, 1); a != b {
		t.Errorf("%+v, then %+v", a, b)
	}
	if a, b := run(d, 1), run(d, 2); a == b {
		t.Error("the seed changes nothing")
	}
}

// The stated standard error is that of repetitions with other seeds.
func TestSignedRankSE(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	d := []float64{0, 0, 0, 0, -0.1, 0.2, 0.3, -0.4, 0.5, 0.7, 0, 0.04, -0.3, -0.2}
	const runs = 200
	sum, squares, se := 0.0, 0.0, 0.0
	for seed := range uint64(runs) {
		r, err := signedrank.Test(d, 0.05, signedrank.Draws{Seed: seed + 1, Max: 1000, SE: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		worst := r.Larger
		sum, squares, se = sum+worst, squares+worst*worst, se+r.SE/runs
	}
	sd := math.Sqrt((squares - sum*sum/runs) / (runs - 1))
	if sd > 1.25*se || sd < 0.5*se {
		t.Errorf("standard deviation %v over seeds, standard error %v", sd, se)
	}
	long, err := signedrank.Test(d, 0.05, signedrank.Draws{Seed: runs + 1, Max: 400_000, SE: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	if off := math.Abs(sum/runs - long.Larger); off > 4*math.Hypot(sd/math.Sqrt(runs), long.SE) {
		t.Errorf("%v on average, %v in the long run", sum/runs, long.Larger)
	}
}

func ExampleTest() {
	// Scores of o3-mini and DeepSeek-r1 on 180 lists of four values: 141 ties, and
	// DeepSeek-r1 worse on 39 (Herbold 2025, arXiv 2504.08312, published scores, where
	// 50,000 draws gave 0.991). The size of the differences does not matter here.
	r, err := signedrank.Test(twoClasses(141, 39), 0.01, signedrank.Draws{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("smaller %.2f, equal %.2f, larger %.2f\n", r.Smaller, r.Equal, r.Larger)
	// Output: smaller 0.01, equal 0.99, larger 0.00
}
