package stats_test

import (
	"encoding/json"
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
