package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"verbatim/internal/stats"
)

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
