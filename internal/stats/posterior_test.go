package stats_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"

	"verbatim/internal/exhaustive"
	"verbatim/internal/oracle"
	"verbatim/internal/stats"
)

// cells are the scores of published runs by model, cell and item.
type cells struct {
	Cells [][2]any               `json:"cells"` // task, length
	V     map[string][][]float64 `json:"v"`
}

func readCells(t testing.TB) (c cells) {
	t.Helper()
	data, err := os.ReadFile(oracle.Path(t, "stats/cells.json"))
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pair returns the differences of b from a, of one length or, for 0, of all.
func (c cells) pair(t testing.TB, a, b string, length int) *stats.Strata {
	t.Helper()
	s := new(stats.Strata)
	for i, cell := range c.Cells {
		if length != 0 && int(cell[1].(float64)) != length {
			continue
		}
		for j, x := range c.V[a][i] {
			add(t, s, i, c.V[b][i][j]-x)
		}
	}
	return s
}

type failer interface {
	Helper()
	Fatal(args ...any)
}

func add(t failer, s *stats.Strata, cell int, d ...float64) {
	t.Helper()
	for _, d := range d {
		if err := s.Add(cell, d); err != nil {
			t.Fatal(err)
		}
	}
}

func posterior(t failer, z, a []float64) *stats.Posterior {
	t.Helper()
	p, err := stats.NewPosterior(z, a)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// paired returns the posterior of pairs of right and wrong answers.
func paired(t failer, onlyFirst, onlySecond, ties int) *stats.Posterior {
	t.Helper()
	s := new(stats.Strata)
	for range onlyFirst {
		add(t, s, 0, -1)
	}
	for range onlySecond {
		add(t, s, 0, 1)
	}
	for range ties {
		add(t, s, 0, 0)
	}
	p, err := s.Posterior()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Means, intervals and probabilities of all pairs of published runs.
func TestPosteriorOfTheOracle(t *testing.T) {
	c, n := readCells(t), 0
	near := func(row map[string]string, column string, got, tol float64) {
		t.Helper()
		if want := number(t, row[column]); !(math.Abs(got-want) <= tol) {
			t.Errorf("scope %s, %s against %s, %s: %s is %.8f, want %s", row["scope"], row["b"], row["a"], row["mode"], column, got, row[column])
		}
	}
	for _, row := range oracle.Rows(t, "stats/compare_ref.csv") {
		s := c.pair(t, row["a"], row["b"], int(number(t, row["scope"])))
		post, err := s.Posterior()
		if row["mode"] == "stratified" {
			post, err = s.StratifiedPosterior()
		}
		if err != nil {
			t.Fatal(err)
		}
		m := s.Total()
		if m.N != int64(number(t, row["n"])) {
			t.Errorf("%d pairs, want %s", m.N, row["n"])
		}
		three, ends := post.Probabilities(number(t, row["rho"])), post.Interval(0.95)
		near(row, "mean_b_minus_a", m.Mean, 1e-6)
		near(row, "p_worse", three.Worse, 1e-6)
		near(row, "p_equiv", three.Equivalent, 1e-6)
		near(row, "p_better", three.Better, 1e-6)
		near(row, "lo95", ends.Low, 1e-5)
		near(row, "hi95", ends.High, 1e-5)
		n++
	}
	if n != 168 {
		t.Errorf("%d rows of 168", n)
	}
}

func TestPosteriorOfPairs(t *testing.T) {
	for _, c := range []struct {
		onlyFirst, onlySecond, ties int
		rope                        float64
		want                        stats.Probabilities
	}{
		{10, 3, 87, 0.02, stats.Probabilities{Worse: .9204725, Equivalent: .0735720, Better: .0059555}},
		{0, 0, 20, 0.02, stats.Probabilities{Worse: .2308966, Equivalent: .5382068, Better: .2308966}},
		{0, 0, 180, 0.02, stats.Probabilities{Worse: .0047454, Equivalent: .9905092, Better: .0047454}},
		{30, 12, 138, 0.05, stats.Probabilities{Worse: .9201309, Equivalent: .0798528, Better: .0000163}},
	} {
		if got := paired(t, c.onlyFirst, c.onlySecond, c.ties).Probabilities(c.rope); !alike(got, c.want, 6e-8) {
			t.Errorf("%d, %d, %d ties, rope %v: %+v, want %+v", c.onlyFirst, c.onlySecond, c.ties, c.rope, got, c.want)
		}
	}
}

func alike(a, b stats.Probabilities, tol float64) bool {
	return math.Abs(a.Worse-b.Worse) <= tol && math.Abs(a.Equivalent-b.Equivalent) <= tol && math.Abs(a.Better-b.Better) <= tol
}

// The same, to all digits that the other program gave.
func TestPosteriorOfPairsOfTheOracle(t *testing.T) {
	data, err := os.ReadFile(oracle.Path(t, "stats/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Paired []struct {
			N10, N01, Tie int
			Rho           float64
			P             struct{ Less, Equal, More float64 }
		} `json:"paired_binary_anchored"`
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Paired) != 12 {
		t.Errorf("%d vectors", len(vectors.Paired))
	}
	for _, v := range vectors.Paired {
		want := stats.Probabilities{Worse: v.P.Less, Equivalent: v.P.Equal, Better: v.P.More}
		if got := paired(t, v.N10, v.N01, v.Tie).Probabilities(v.Rho); !alike(got, want, 1e-11) {
			t.Errorf("%+v: %+v", v, got)
		}
	}
}

// Over the points 0 and 1 the mean is a beta variable.
func TestPosteriorIsBeta(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	for _, shapes := range [][2]float64{{0.5, 0.5}, {1, 1}, {0.5, 3}, {2.5, 0.5}, {100, 700.5}, {1440, 3}, {0.01, 0.02}, {0.3, 17.25}, {720, 720}, {4096, 4095}} {
		p, worst := posterior(t, []float64{1, 0}, shapes[:]), 0.0
		for i := 1; i < 200; i += exhaustive.Of(3, 1) {
			c := float64(i) / 200
			worst = max(worst, math.Abs(p.Above(c)-(1-mathext.RegIncBeta(shapes[0], shapes[1], c))))
		}
		// The incomplete beta function itself is off by as much for large shapes.
		if worst > 1e-10 {
			t.Errorf("Beta(%v, %v) is off by %.1e", shapes[0], shapes[1], worst)
		}
	}
}

func TestPosteriorIsBetaProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(0.1, 1500).Draw(t, "a")
		b := rapid.Float64Range(0.1, 1500).Draw(t, "b")
		if rapid.Bool().Draw(t, "whole") {
			a, b = math.Ceil(a), math.Ceil(b)-0.5
		}
		// Probabilities near 0 and 1 are easy: these are not.
		c := mathext.InvRegIncBeta(a, b, rapid.Float64Range(0.001, 0.999).Draw(t, "p"))
		low, wide := rapid.Float64Range(-3, 3).Draw(t, "low"), rapid.Float64Range(1e-6, 1e6).Draw(t, "wide")
		high := low + wide
		p := posterior(t, []float64{low, high}, []float64{b, a})
		at := low + c*wide
		// What at lost of c by rounding is lost on both sides: beta densities are steep
		// at their ends. Near 1 a number has too few digits for this; near 0 there is
		// no promise.
		c = (at - low) / (high - low)
		got, want := p.Above(at), 1-mathext.RegIncBeta(a, b, c)
		if tol := 1e-10; math.Abs(got-want) > tol && c > 1e-9 && c < 1-1e-6 {
			t.Fatalf("P(Beta(%v, %v) > %v) = %v, want %v", a, b, c, got, want)
		}
	})
}

// A million pairs do not take longer, and are not further off.
func TestPosteriorOfManyPairs(t *testing.T) {
	const n = 1e6
	p := posterior(t, []float64{-1, 0, 1}, []float64{0.5, n + 0.5, 0.5})
	// With n so large, n times the mean is the difference of two gamma variables of
	// shape ½: a product-normal variable, of which half lies beyond 0 and 0.025
	// beyond 2.181949 (K_0/π integrated by another program).
	if got := p.Above(2.181949e-6); math.Abs(got-0.025) > 1e-6 {
		t.Errorf("beyond 2.18 in a million: %v", got)
	}
	if i := p.Interval(0.95); math.Abs(i.High-2.181949e-6) > 1e-10 || math.Abs(i.Low+i.High) > 1e-12 {
		t.Errorf("%v", i)
	}
}

func TestPosteriorProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, a := support(t)
		p := posterior(t, z, a)
		low, high := -1.0, 1.0
		ends := p.Interval(rapid.Float64Range(0.001, 0.9999).Draw(t, "confidence"))
		if !(low < ends.Low && ends.Low < ends.High && ends.High < high) {
			t.Fatalf("%v", ends)
		}
		c := rapid.Float64Range(-1.5, 1.5).Draw(t, "c")
		above := p.Above(c)
		if !(above >= 0 && above <= 1) || c >= high && above != 0 || c <= low && above != 1 {
			t.Fatalf("P(mean > %v) = %v", c, above)
		}
		if further := p.Above(c + rapid.Float64Range(0, 1).Draw(t, "further")); further > above+1e-12 {
			t.Fatalf("P(mean > %v) = %v, and %v beyond", c, above, further)
		}
		rope := rapid.Float64Range(0, 0.5).Draw(t, "rope")
		three := p.Probabilities(rope)
		if !(three.Worse >= 0 && three.Equivalent >= 0 && three.Better >= 0) || math.Abs(three.Worse+three.Equivalent+three.Better-1) > 1e-12 {
			t.Fatalf("%+v", three)
		}

		// The other way round, in another order, one point split into two.
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		var mz, ma []float64
		for _, k := range r.Perm(len(z)) {
			mz, ma = append(mz, -z[k]), append(ma, a[k])
		}
		ma[0] /= 2
		mz, ma = append(mz, mz[0]), append(ma, ma[0])
		m := posterior(t, mz, ma)
		if got := m.Probabilities(rope); !alike(got, stats.Probabilities{Worse: three.Better, Equivalent: three.Equivalent, Better: three.Worse}, 1e-11) {
			t.Fatalf("mirrored %+v is %+v", three, got)
		}

		// In other units it is the same.
		scale := rapid.SampledFrom([]float64{1e-100, 3, 1e100}).Draw(t, "scale")
		for k := range z {
			z[k] *= scale
		}
		if got := posterior(t, z, a).Probabilities(rope * scale); !alike(got, three, 1e-11) {
			t.Fatalf("times %v: %+v, not %+v", scale, got, three)
		}
	})
}

func TestPosteriorEdges(t *testing.T) {
	if got := paired(t, 0, 0, 5).Probabilities(0); !alike(got, stats.Probabilities{Worse: 0.5, Better: 0.5}, 1e-12) {
		t.Errorf("all ties without a rope: %+v", got)
	}
	one := paired(t, 0, 1, 0).Interval(0.95)
	if math.Abs(one.Low+0.586) > 5e-4 || one.High != 1 {
		t.Errorf("one difference of 1: %v", one)
	}
	if got := paired(t, 1, 0, 0).Interval(0.95); got.Low != -1 || math.Abs(got.High+one.Low) > 1e-9 {
		t.Errorf("one difference of -1: %v", got)
	}
	// A mean that is known exactly has an interval without width; no other has.
	sure := posterior(t, []float64{0.25, 0.25}, []float64{1, 2})
	if got := sure.Interval(0.95); got != (stats.Interval{Low: 0.25, High: 0.25}) || sure.Above(0.25) != 0 || sure.Above(0.2) != 1 {
		t.Errorf("one point: %v, %v, %v", got, sure.Above(0.25), sure.Above(0.2))
	}
	if got := sure.Probabilities(0.25); got != (stats.Probabilities{Equivalent: 1}) {
		t.Errorf("one point on the bound: %+v", got)
	}
	if got := posterior(t, []float64{0}, []float64{3}).Probabilities(0); got != (stats.Probabilities{Equivalent: 1}) {
		t.Errorf("only 0, no rope: %+v", got)
	}
	for _, c := range []float64{0, 1, -1, math.NaN()} {
		if got := sure.Interval(c); !math.IsNaN(got.Low) || !math.IsNaN(got.High) {
			t.Errorf("confidence %v: %v", c, got)
		}
	}
	some := paired(t, 3, 1, 7)
	for _, rope := range []float64{-1, math.NaN()} {
		if got := some.Probabilities(rope); got != some.Probabilities(0) {
			t.Errorf("rope %v: %+v", rope, got)
		}
	}
	if some.Above(1) != 0 || some.Above(-1) != 1 || some.Above(math.Inf(-1)) != 1 || !math.IsNaN(some.Above(math.NaN())) {
		t.Errorf("at the ends: %v, %v", some.Above(1), some.Above(-1))
	}
}

// Points a hundred orders of magnitude apart.
func TestPosteriorFarApart(t *testing.T) {
	z := []float64{1, -6e-33, -1e-116, 1e-68, -1e-296, -2e-44, -1e-8, -1, 0, 1, -math.SmallestNonzeroFloat64}
	a := []float64{0.2109375, 1, 1, 1, 38, 0.5, 56.5, 0.5, 0.5, 0.5, 49}
	p := posterior(t, z, a)
	for _, c := range []float64{0, 1e-300, 1e-134, 1e-40, 1e-20, 1e-9, 1e-4, 0.3} {
		for _, c := range []float64{c, -c} {
			if got, want := p.Above(c), gilPelaez(z, a, c); !(math.Abs(got-want) < 1e-9) {
				t.Errorf("P(mean > %v) = %v, want %v", c, got, want)
			}
		}
	}
	if got := posterior(t, []float64{0}, []float64{1}); got.Above(-1e-300) != 1 || got.Above(1e-300) != 0 {
		t.Error("only 0 is not below 0, nor above")
	}
}

func TestPosteriorRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		z, a  []float64
		index int
	}{
		{[]float64{0, nan}, []float64{1, 1}, 1},
		{[]float64{inf, 1}, []float64{1, 1}, 0},
		{[]float64{0, 1, 2}, []float64{1, 1, 0}, 2},
		{[]float64{0, 1, 2}, []float64{1, -1, 1}, 1},
		{[]float64{0, 1, 2}, []float64{nan, 1, 1}, 0},
		{[]float64{0, 1}, []float64{1, inf}, 1},
		{[]float64{0, 1}, []float64{math.MaxFloat64, math.MaxFloat64}, 1},
		{[]float64{0, 1}, []float64{1}, -1},
	} {
		var bad *stats.BadValue
		if _, err := stats.NewPosterior(c.z, c.a); !errors.As(err, &bad) || bad.Index != c.index {
			t.Errorf("%v, %v: %v", c.z, c.a, err)
		}
	}
	if _, err := stats.NewPosterior(nil, nil); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("no points: %v", err)
	}
}

// Too many points to keep them all: the mean stays, and so do the probabilities.
func TestPosteriorInBins(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var z, a []float64
	for range 16000 {
		z, a = append(z, 0.002+0.2*r.NormFloat64()), append(a, 1)
	}
	want := posterior(t, z, a) // as they are
	got := posterior(t, append(z, z...), append(halves(a), halves(a)...))
	for _, c := range []float64{-0.002, 0, 0.002, 0.005} {
		if math.Abs(got.Above(c)-want.Above(c)) > 1e-6 {
			t.Errorf("P(mean > %v) = %v in bins, %v without", c, got.Above(c), want.Above(c))
		}
	}
	g, w := got.Interval(0.95), want.Interval(0.95)
	if math.Abs(g.Low-w.Low) > 1e-8 || math.Abs(g.High-w.High) > 1e-8 || g == w {
		t.Errorf("%v in bins, %v without", g, w)
	}
}

func halves(a []float64) []float64 {
	h := make([]float64, len(a))
	for i := range a {
		h[i] = a[i] / 2
	}
	return h
}

// Of 100 pairs of right and wrong answers 10 are right on the first side only, and
// 3 on the second. The figures were computed by another program.
func ExamplePosterior_Probabilities() {
	p, err := stats.NewPosterior([]float64{-1, 0, 1}, []float64{10.5, 87.5, 3.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	three := p.Probabilities(0.02)
	fmt.Printf("worse %.7f, equivalent %.7f, better %.7f\n", three.Worse, three.Equivalent, three.Better)
	// Output: worse 0.9204725, equivalent 0.0735720, better 0.0059555
}

// Over 0 and 1 it is a beta distribution: here Beta(7.5, 3.5), Jeffreys' posterior of
// 7 successes in 10 trials, whose quantiles were computed by another program.
func ExampleNewPosterior() {
	p, err := stats.NewPosterior([]float64{0, 1}, []float64{3.5, 7.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	ends := p.Interval(0.95)
	fmt.Printf("%.6f to %.6f\n", ends.Low, ends.High)
	fmt.Printf("above %.6f: %.3f\n", 0.394182, p.Above(0.394182))
	// Output:
	// 0.394182 to 0.907305
	// above 0.394182: 0.975
}

func ExamplePosterior_Interval() {
	p, err := stats.NewPosterior([]float64{0, 1}, []float64{8.5, 172.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f\n", p.Interval(0.95))
	// Output: {0.917898 0.978767}
}

// The uniform distribution is that of the mean of 0 and 1 under Dirichlet(1, 1).
func ExamplePosterior_Above() {
	p, err := stats.NewPosterior([]float64{0, 1}, []float64{1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", p.Above(0.25))
	// Output: 0.75
}

// gilPelaez is P(mean > c) by the integral along the imaginary axis, point by point: it
// is slow, and has nothing in common with the method that is tested.
func gilPelaez(z, a []float64, c float64) float64 {
	scale := 0.0
	for _, z := range z {
		scale = max(scale, math.Abs(z-c))
	}
	integrand := func(u float64) (v, log float64) {
		t := math.Exp(u - math.Exp(-u))
		phase := 0.0
		for k, z := range z {
			x := (z - c) / scale * t
			phase += a[k] * math.Atan(x)
			log += a[k] / 2 * math.Log1p(x*x)
		}
		return math.Sin(phase) * math.Exp(-log) * (1 + math.Exp(-u)), log
	}
	last := math.Inf(1)
	for step := 1.0 / 32; ; step /= 2 {
		sum, log := 0.0, 0.0
		for u := -4.5; log < 40; u += step {
			var v float64
			v, log = integrand(u)
			sum += v
		}
		if math.Abs(sum*step-last) < 1e-12 || step < 1e-4 {
			return 0.5 + sum*step/math.Pi
		}
		last = sum * step
	}
}

// support draws support points and weights, with ties, halves and outliers.
func support(t *rapid.T) (z, a []float64) {
	narrow := rapid.SampledFrom([]float64{1, 0.1, 0.001}).Draw(t, "narrow")
	for range rapid.IntRange(1, 12).Draw(t, "points") {
		z = append(z, narrow*rapid.Float64Range(-1, 1).Draw(t, "z"))
		a = append(a, rapid.OneOf(
			rapid.Just(1.0),
			rapid.Map(rapid.IntRange(1, 200), func(n int) float64 { return float64(n) / 2 }),
			rapid.Float64Range(0.2, 40),
			rapid.Just(5000.0),
		).Draw(t, "a"))
	}
	return append(z, -1, 0, 1), append(a, 0.5, 0.5, 0.5)
}

func TestPosteriorAlongTheOtherAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, a := support(t)
		p := posterior(t, z, a)
		c := rapid.OneOf(rapid.Float64Range(-1, 1), rapid.Map(rapid.Float64Range(0.01, 0.99), func(q float64) float64 {
			return p.Interval(q).High
		})).Draw(t, "c")
		if got, want := p.Above(c), gilPelaez(z, a, c); math.Abs(got-want) > 1e-9 {
			t.Fatalf("P(mean > %v) of %v, %v = %v, want %v", c, z, a, got, want)
		}
	})
}

// Where many values agree and few differ, the direct integral oscillates: small and
// large samples, all shapes, against the other axis.
func TestPosteriorShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	for _, n := range []int{1, 5, 20, 180} {
		for name, draw := range shapesOfDifferences {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			z, a := []float64{-1, 0, 1}, []float64{0.5, 0.5, 0.5}
			for range n {
				z, a = append(z, draw(r)), append(a, 1)
			}
			p := posterior(t, z, a)
			for _, confidence := range []float64{0.1, 0.5, 0.95, 0.999} {
				ends := p.Interval(confidence)
				for _, c := range []float64{ends.Low, ends.High, 0, 0.02} {
					if got, want := p.Above(c), gilPelaez(z, a, c); math.Abs(got-want) > 1e-11 {
						t.Errorf("%s, n %d: P(mean > %v) = %v, want %v", name, n, c, got, want)
					}
				}
				if low, high := 1-p.Above(ends.Low), p.Above(ends.High); math.Abs(low-(1-confidence)/2) > 1e-6 || math.Abs(high-(1-confidence)/2) > 1e-6 {
					t.Errorf("%s, n %d: the ends of %v leave out %v and %v", name, n, confidence, low, high)
				}
			}
		}
	}
}

var shapesOfDifferences = map[string]func(r *rand.Rand) float64{
	"ties":   func(*rand.Rand) float64 { return 0 },
	"normal": func(r *rand.Rand) float64 { return -0.03 + 0.12*r.NormFloat64() },
	"narrow": func(r *rand.Rand) float64 { return 0.001 * r.NormFloat64() },
	"skew": func(r *rand.Rand) float64 {
		if r.Float64() < 0.1 {
			return -r.Float64()
		}
		return 0.001 * r.Float64()
	},
	"flips": func(r *rand.Rand) float64 { return math.Round(1.2*r.Float64() - 0.6) },
}

// benchmarked calls f with posteriors of n different values, and of the two shapes
// that need most nodes.
func benchmarked(b *testing.B, f func(p *stats.Posterior)) {
	for _, n := range []int{180, 1440, 10000} {
		for _, name := range []string{"normal", "narrow", "ties"} {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			z, a := []float64{-1, 0, 1}, []float64{0.5, 0.5, 0.5}
			for range n {
				z, a = append(z, shapesOfDifferences[name](r)), append(a, 1)
			}
			p := posterior(b, z, a)
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f(p)
				}
			})
		}
	}
}

func BenchmarkThree(b *testing.B) {
	benchmarked(b, func(p *stats.Posterior) { p.Probabilities(0.02) })
}

func BenchmarkInterval(b *testing.B) {
	benchmarked(b, func(p *stats.Posterior) { p.Interval(0.95) })
}
