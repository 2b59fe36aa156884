package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"verbatim/internal/stats"
)

func TestStrataEdges(t *testing.T) {
	var s stats.Strata
	if _, err := s.Posterior(); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := s.StratifiedPosterior(); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("nothing, stratified: %v", err)
	}
	if s.Total() != (stats.Moments{}) || s.Cell(3) != (stats.Moments{}) || s.Cells() != nil || s.HasSingletons() || !s.Balanced() {
		t.Errorf("nothing: %+v, %v", s.Total(), s.Cells())
	}
	for _, d := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e101} {
		var bad *stats.BadValue
		if err := s.Add(0, d); !errors.As(err, &bad) || s.Total().N != 0 {
			t.Errorf("%v: %v", d, err)
		}
	}
	add(t, &s, 2, 0.5)
	if _, ok := s.SE(false); ok || !s.HasSingletons() || !s.Balanced() || s.Total() != (stats.Moments{N: 1, Mean: 0.5}) {
		t.Errorf("one: %+v", s.Total())
	}
	add(t, &s, -1, 0, math.Copysign(0, -1))
	if s.Balanced() || !s.HasSingletons() || !slices.Equal(s.Cells(), []int{-1, 2}) {
		t.Errorf("two cells: %v", s.Cells())
	}
	if _, ok := s.SE(true); ok {
		t.Error("a standard error within a lone cell")
	}
	add(t, &s, 2, 0.5)
	if s.HasSingletons() || !s.Balanced() {
		t.Error("two and two")
	}
	if _, err := s.StratifiedPosterior(); err != nil {
		t.Error(err)
	}
}

// With more values than are kept, moments are as before and probabilities nearly.
func TestStrataInBins(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s, few, beyond stats.Strata
	var all []float64
	for i := range 40000 {
		d := 0.001 + 0.1*r.NormFloat64()
		if i%4 == 0 {
			d = 0
		}
		all = append(all, d)
		add(t, &s, i%8, d)
		// The same on a grid so fine that nothing below shows the difference, with few
		// enough values to be saved.
		add(t, &few, i%8, math.Round(d*16000)/16000)
		add(t, &beyond, i%2, 20*d)
	}
	if got := s.Total(); !near(got, moments(all), 1e-13) {
		t.Errorf("%+v, want %+v", got, moments(all))
	}
	if got, want := s.Merge(func(cell int) int { return cell % 2 }).Total(), s.Total(); !near(got, want, 1e-13) {
		t.Errorf("merged %+v, want %+v", got, want)
	}
	for i := range all {
		all[i] *= 20
	}
	if got := beyond.Total(); !near(got, moments(all), 1e-12) {
		t.Errorf("far out %+v, want %+v", got, moments(all))
	}
	for name, from := range map[string]func(*stats.Strata) (*stats.Posterior, error){
		"plain": (*stats.Strata).Posterior, "stratified": (*stats.Strata).StratifiedPosterior,
	} {
		got, err := from(&s)
		want, werr := from(&few)
		if err != nil || werr != nil {
			t.Fatal(err, werr)
		}
		for _, c := range []float64{0, 0.0005, 0.001} {
			if math.Abs(got.Above(c)-want.Above(c)) > 1e-3 {
				t.Errorf("%s: P(mean > %v) = %v in bins, %v without", name, c, got.Above(c), want.Above(c))
			}
		}
		g, w := got.Interval(0.95), want.Interval(0.95)
		if gw, ww := g.High-g.Low, w.High-w.Low; math.Abs(gw/ww-1) > 1e-4 {
			t.Errorf("%s: %v in bins, %v without", name, g, w)
		}
	}
}

// Ten of a hundred pairs are right on the first side only, three on the second; the
// figures were computed by another program.
func ExampleStrata() {
	var s stats.Strata
	for i := range 100 {
		d := 0.0
		switch {
		case i < 10:
			d = -1
		case i < 13:
			d = 1
		}
		if err := s.Add(0, d); err != nil {
			fmt.Println(err)
		}
	}
	p, err := s.Posterior()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.2f, P(worse) %.7f\n", s.Total().Mean, p.Probabilities(0.02).Worse)
	// Output: mean -0.07, P(worse) 0.9204725
}

// What two cells differ by, 0.3 here, says nothing of fresh items in the same cells:
// by hand √(0.15² + 0.0287²)/√199 against 0.0287/√198.
func ExampleStrata_StratifiedPosterior() {
	var s stats.Strata
	for i := range 200 {
		cell := i % 2
		if err := s.Add(cell, 0.3*float64(cell)+0.01*float64(i/2%10)); err != nil {
			fmt.Println(err)
		}
	}
	plain, _ := s.SE(false)
	within, _ := s.SE(true)
	fmt.Printf("standard error %.4f, within the cells %.4f\n", plain, within)
	// Output: standard error 0.0108, within the cells 0.0020
}

// Of 20 lists sorted, none differed: that leaves room for 2 % either way, since 1
// list of 50 that differs would go unseen two times in three.
func ExampleStrata_Posterior() {
	var s stats.Strata
	for range 20 {
		if err := s.Add(0, 0); err != nil {
			fmt.Println(err)
		}
	}
	p, err := s.Posterior()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.7f\n", p.Probabilities(0.02))
	// Output: {0.2308966 0.5382068 0.2308966}
}
