package horizon_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"verbatim/internal/exhaustive"
	"verbatim/internal/stats"
	"verbatim/internal/stats/horizon"
)

// added returns a fit of a posterior to which the answers of counts were added in
// random order.
func added(t testing.TB, shortest, longest int, counts []horizon.Counts) *horizon.Posterior {
	t.Helper()
	f, err := horizon.NewPosterior(shortest, longest)
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		length int
		right  bool
	}
	var answers []answer
	for _, c := range counts {
		for i := range c.N {
			answers = append(answers, answer{c.Length, i < c.Right})
		}
	}
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(answers)) {
		if err := f.Add(answers[i].length, answers[i].right); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// Answers added one by one give the same as their counts added at once.
func TestLimitFitAdd(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	for _, counts := range [][]horizon.Counts{
		{{2, 10, 10}, {16, 9, 10}, {45, 5, 10}, {256, 0, 10}},
		{{2, 40, 40}, {256, 40, 40}},
		{{3, 0, 40}, {200, 0, 40}},
		{{2, 700, 1000}, {64, 300, 1000}},
	} {
		want, err := horizon.FitEstimate(counts)
		if err != nil {
			t.Fatal(err)
		}
		got := added(t, want.Shortest, want.Longest, counts).Estimate()
		for name, pair := range map[string][2]float64{
			"L50": {got.L50, want.L50}, "low": {got.Interval.Low, want.Interval.Low}, "high": {got.Interval.High, want.Interval.High},
			"above": {1 + got.Above, 1 + want.Above}, "below": {1 + got.Below, 1 + want.Below},
		} {
			if math.Abs(pair[0]/pair[1]-1) > 1e-9 {
				t.Errorf("%v: %s is %v one by one, %v at once", counts, name, pair[0], pair[1])
			}
		}
	}
}

func TestLimitFitRefusals(t *testing.T) {
	f, err := horizon.NewPosterior(4, 64)
	if err != nil {
		t.Fatal(err)
	}
	before := f.Estimate()
	for _, length := range []int{-1, 0, 3, 65} {
		var bad *stats.BadValue
		if err := f.Add(length, true); !errors.As(err, &bad) || bad.Value != float64(length) {
			t.Errorf("length %d: %v", length, err)
		}
	}
	if after := f.Estimate(); after != before {
		t.Errorf("a refused answer changed %+v to %+v", before, after)
	}
	if _, _, err := f.Curve(0); err == nil {
		t.Error("a curve at length 0")
	}
	for _, c := range [][2]int{{0, 4}, {-2, 4}, {8, 4}} {
		if _, err := horizon.NewPosterior(c[0], c[1]); err == nil {
			t.Errorf("lengths from %d to %d are not refused", c[0], c[1])
		}
	}
}

// Draws follow the posterior: as many lie in the interval as it says, and beyond the
// longest length as Above says.
func TestLimitFitDraw(t *testing.T) {
	f := added(t, 2, 256, []horizon.Counts{{16, 9, 10}, {64, 7, 10}, {256, 4, 10}})
	l := f.Estimate()
	r := rand.New(rand.NewPCG(2, 2))
	inside, above := 0, 0
	const n = 20_000
	for range n {
		switch x := f.Draw(r.Float64()); {
		case x > 256*(1-1e-9):
			above++
			fallthrough
		default:
			if l.Interval.Low <= x && x <= l.Interval.High {
				inside++
			}
		}
	}
	if share := float64(inside) / n; math.Abs(share-0.95) > 0.012 {
		t.Errorf("%v of the draws are in the interval", share)
	}
	if share := float64(above) / n; math.Abs(share-l.Above) > 0.012 {
		t.Errorf("%v of the draws are above, the posterior says %v", share, l.Above)
	}
	if f.Draw(0.5) != l.L50 {
		t.Errorf("the draw in the middle is %v, the median %v", f.Draw(0.5), l.L50)
	}
	last := 0.0
	for u := -0.1; u < 1.1; u += 0.001 {
		x := f.Draw(u)
		if !(x >= last) || math.IsInf(x, 0) {
			t.Fatalf("Draw(%v) is %v, after %v", u, x, last)
		}
		last = x
	}
	// The ends are where the weight ends, also for a fit that leaves out points without
	// weight.
	m, err := horizon.NewModel([]horizon.Counts{{2, 1, 1}, {16, 1, 1}, {256, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	few, err := m.Fit([]horizon.Counts{{2, 900, 900}, {16, 450, 900}, {256, 0, 900}})
	if err != nil {
		t.Fatal(err)
	}
	if low, top := few.Draw(-1), few.Draw(2); low != few.Draw(0) || top != few.Draw(1) || !(8 < low && low < 16 && 16 < top && top < 32) {
		t.Errorf("the ends are %v and %v", low, top)
	}
	if x := f.Draw(math.NaN()); x != f.Draw(0) {
		t.Errorf("Draw(NaN) is %v, Draw(0) %v", x, f.Draw(0))
	}
}

// The curve falls with the length, passes one half at the limit, and its band holds
// what was seen.
func TestLimitFitCurve(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	counts := []horizon.Counts{{4, 40, 40}, {16, 36, 40}, {64, 20, 40}, {128, 8, 40}, {256, 1, 40}}
	f := added(t, 4, 256, counts)
	last := 1.0
	for length := 1; length <= 512; length++ {
		share, band, err := f.Curve(length)
		if err != nil {
			t.Fatal(err)
		}
		if !(0 <= band.Low && band.Low <= share && share <= band.High && band.High <= 1) || share > last {
			t.Fatalf("at %d: %v in %+v after %v", length, share, band, last)
		}
		last = share
	}
	for _, c := range counts {
		_, band, _ := f.Curve(c.Length)
		if seen := float64(c.Right) / float64(c.N); seen < band.Low-0.02 || seen > band.High+0.02 || band.High-band.Low > 0.35 {
			t.Errorf("at %d: %+v, seen %v", c.Length, band, seen)
		}
	}
	if share, _, _ := f.Curve(int(f.Estimate().L50 + 0.5)); math.Abs(share-0.5) > 0.03 {
		t.Errorf("%v at the limit", share)
	}
}

// Intervals hold the limit about as often as they say; three lengths are known, and
// the true curve has lapses, up to a ceiling that is below one half.
func TestLimitCoverage(t *testing.T) {
	exhaustive.Only(t)
	runs := 400
	r := rand.New(rand.NewPCG(3, 3))
	var lengths []horizon.Counts
	for i := range 8 {
		lengths = append(lengths, horizon.Counts{Length: 2 << i, N: 10})
	}
	m, err := horizon.NewModel(lengths)
	if err != nil {
		t.Fatal(err)
	}
	halfStep := math.Exp2(0.025) // of the grid
	for _, c := range []struct{ theta, k, lapse float64 }{
		{5, 2, 0}, {5, 2, 0.05}, {4, 1, 0.1}, {6.5, 4, 0.02}, {5, 2, 0.3}, {5, 8, 0.42}, {5, 2, 0.47}, {5, 2, 0.55}, {5, 2, 0.9}, {5, 0.5, 0}, {5.9, 1e6, 0}, {5.5, 1e6, 0.1},
	} {
		truth := 0.0 // at no length
		if c.lapse < 0.5 {
			truth = math.Exp2(c.theta + math.Log(2*(1-c.lapse)-1)/c.k)
		}
		held := 0
		for range runs {
			for i := range lengths {
				p := (1 - c.lapse) / (1 + math.Exp(-c.k*(c.theta-math.Log2(float64(lengths[i].Length)))))
				lengths[i].Right = 0
				for range lengths[i].N {
					if r.Float64() < p {
						lengths[i].Right++
					}
				}
			}
			f, err := m.Fit(lengths)
			if err != nil {
				t.Fatal(err)
			}
			if l := f.Estimate(); l.Interval.Low/halfStep <= truth && truth <= l.Interval.High*halfStep {
				held++
			}
		}
		t.Logf("θ %v, k %v, lapses %v: %d of %d", c.theta, c.k, c.lapse, held, runs)
		// Three standard errors below 0.95.
		if share := float64(held) / float64(runs); share < 0.95-3*math.Sqrt(0.95*0.05/float64(runs)) {
			t.Errorf("θ %v, k %v, lapses %v: %v of the intervals hold %.1f", c.theta, c.k, c.lapse, share, truth)
		}
	}
}

func ExamplePosterior() {
	// A search that sends next the length that is drawn from the posterior: twelve
	// answers of a model that fails from 30 on.
	f, err := horizon.NewPosterior(2, 256)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(1, 0))
	for range 12 {
		length := min(max(int(f.Draw(r.Float64())), 2), 256)
		if err := f.Add(length, length < 30); err != nil {
			panic(err)
		}
	}
	l := f.Estimate()
	fmt.Printf("%v, between %.0f and %.0f\n", l, l.Interval.Low, l.Interval.High)
	// Output: 33, between 24 and 60
}

func ExamplePosterior_Curve() {
	f, err := horizon.NewPosterior(16, 64)
	if err != nil {
		panic(err)
	}
	for i := range 20 {
		if err := errors.Join(f.Add(16, true), f.Add(64, i < 10)); err != nil {
			panic(err)
		}
	}
	share, band, err := f.Curve(64)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f, between %.2f and %.2f\n", share, band.Low, band.High)
	// Output: 0.52, between 0.31 and 0.73
}

func ExampleModel() {
	// The same lengths for two tasks: what depends on lengths is computed once.
	// Counts: o3-mini, words in lower case and English words (Herbold 2025, arXiv
	// 2504.08312, published scores).
	words := []horizon.Counts{{16, 10, 10}, {32, 9, 10}, {64, 7, 10}, {128, 0, 10}, {256, 0, 10}}
	english := []horizon.Counts{{16, 10, 10}, {32, 10, 10}, {64, 7, 10}, {128, 0, 10}, {256, 0, 10}}
	m, err := horizon.NewModel(words)
	if err != nil {
		panic(err)
	}
	for _, counts := range [][]horizon.Counts{words, english} {
		f, err := m.Fit(counts)
		if err != nil {
			panic(err)
		}
		fmt.Println(f.Estimate())
	}
	// Output:
	// 71
	// 71
}

// Between the last two lengths with answers, nothing tells where a step is: the interval has both.
func TestIntervalBetweenTheLastLengths(t *testing.T) {
	l, err := horizon.FitEstimate([]horizon.Counts{{Length: 2, N: 200, Right: 200}, {Length: 4, N: 200, Right: 200}, {Length: 32, N: 200}})
	if err != nil {
		t.Fatal(err)
	}
	if l.Interval.Low > 4 || l.Interval.High < 30 {
		t.Errorf("%+v, want 4 to nearly 32", l.Interval)
	}
}
