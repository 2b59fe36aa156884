package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/exhaustive"
	"verbatim/internal/stats"
)

func TestClusteredEdges(t *testing.T) {
	varied := []stats.Moments{{N: 2, Mean: 0.1}, {N: 3, Mean: 0.2}}
	for name, clusters := range map[string][]stats.Moments{
		"none":             nil,
		"one":              {{N: 10, Mean: 0.1}},
		"one with items":   {{N: 10, Mean: 0.1}, {}},
		"all ties":         {{N: 10}, {N: 20}},
		"all alike":        {{N: 10, Mean: 0.1}, {N: 3, Mean: 0.1}, {N: 7, Mean: 0.1}},
		"a mean unknown":   {{N: 10, Mean: math.NaN()}, {N: 3, Mean: 0.1}},
		"a mean too large": {{N: 10, Mean: math.Inf(1)}, {N: 3, Mean: 0.1}},
	} {
		if c, ok := stats.ClusterRobust(clusters, 0.95); ok || c != (stats.ClusterResult{}) {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, confidence := range []float64{0, 1, math.NaN()} {
		if c, ok := stats.ClusterRobust(varied, confidence); ok {
			t.Errorf("confidence %v: %+v", confidence, c)
		}
	}
	wide, ok := stats.ClusterRobust([]stats.Moments{{N: 1, Mean: -1}, {N: 1, Mean: 1}}, 0.95)
	if !ok || wide.Interval != (stats.Interval{Low: -1, High: 1}) {
		t.Errorf("cut: %+v", wide)
	}
}

func TestClusteredProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var clusters, mirrored []stats.Moments
		for range rapid.IntRange(0, 8).Draw(t, "clusters") {
			m := stats.Moments{N: rapid.Int64Range(0, 50).Draw(t, "n"), Mean: rapid.Float64Range(-1, 1).Draw(t, "mean")}
			clusters = append(clusters, m)
			mirrored = append([]stats.Moments{{N: m.N, Mean: -m.Mean}}, mirrored...)
		}
		c, ok := stats.ClusterRobust(clusters, 0.95)
		m, mok := stats.ClusterRobust(mirrored, 0.95)
		if ok != mok {
			t.Fatalf("%v, mirrored %v", ok, mok)
		}
		if !ok {
			return
		}
		if !(c.Interval.Low < c.Interval.High && c.Interval.Low <= c.Mean && c.Mean <= c.Interval.High && -1 <= c.Interval.Low && c.Interval.High <= 1) {
			t.Fatalf("%+v", c)
		}
		if math.Abs(m.Mean+c.Mean) > 1e-12 || math.Abs(m.SE-c.SE) > 1e-12 || math.Abs(m.Interval.Low+c.Interval.High) > 1e-9 {
			t.Fatalf("%+v, mirrored %+v", c, m)
		}
	})
}

// Three tasks of ten items each: by hand the sums of the tasks differ from a third
// of all by -1, 0 and 1, so that SE is √(3/2 · 2)/30, and t with 2 degrees of
// freedom is 4.303.
func ExampleClusterRobust() {
	c, ok := stats.ClusterRobust([]stats.Moments{{N: 10, Mean: -0.05}, {N: 10, Mean: 0.05}, {N: 10, Mean: 0.15}}, 0.95)
	fmt.Printf("%v %.2f, SE %.4f, %.3f to %.3f\n", ok, c.Mean, c.SE, c.Interval.Low, c.Interval.High)
	// Output: true 0.05, SE 0.0577, -0.198 to 0.298
}

func retest(t failer, items [][]float64, right func(x float64) bool) stats.Retest {
	t.Helper()
	var sum stats.RetestSum
	for _, scores := range items {
		if err := sum.Add(scores, successes(scores, right)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := sum.Retest(0.95)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func successes(scores []float64, right func(x float64) bool) []bool {
	s := make([]bool, len(scores))
	for i, x := range scores {
		s[i] = right(x)
	}
	return s
}

func above5(x float64) bool { return x > 5 }

// targets are the ratings of six targets by four judges of Shrout and Fleiss 1979,
// table 2, who find mean squares of 11.24 between and 6.26 within targets (table 3)
// and an ICC(1,1) of 0.17 (table 4).
var targets = [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}

func TestRetestShroutFleiss(t *testing.T) {
	r := retest(t, targets, above5)
	between := (11.24 - 6.26) / 4
	if math.Abs(r.Within-6.26) > 0.005 || math.Abs(r.Between-between) > 0.005 || math.Abs(r.Total-r.Within-r.Between) > 1e-12 ||
		r.ICC == nil || math.Abs(*r.ICC-0.17) > 0.005 || r.Items != 6 {
		t.Errorf("%+v", r)
	}
	// Every target has judges on both sides of 5.
	if lo, hi := stats.Wilson(6, 6, 0.95); r.Flips != 6 || r.FlipRate != 1 || r.FlipInterval != (stats.Interval{Low: lo, High: hi}) {
		t.Errorf("%d flips, rate %v in %v", r.Flips, r.FlipRate, r.FlipInterval)
	}
}

// Of pairs the variance within is half the mean squared difference.
func TestRetestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(0, 1), 2, 2), 1, 30).Draw(t, "items")
		r := retest(t, items, func(x float64) bool { return x > 0.5 })
		want, flips := 0.0, int64(0)
		for _, x := range items {
			want += (x[0] - x[1]) * (x[0] - x[1]) / 2 / float64(len(items))
			if (x[0] > 0.5) != (x[1] > 0.5) {
				flips++
			}
		}
		if math.Abs(r.Within-want) > 1e-12 || r.Flips != flips || !(r.Between >= 0) || r.FlipRate != float64(flips)/float64(len(items)) {
			t.Fatalf("%v: %+v, want %v within", items, r, want)
		}
		if r.ICC != nil && !(*r.ICC >= 0 && *r.ICC <= 1 && math.Abs(*r.ICC-(1-r.Within/r.Total)) < 1e-12) {
			t.Fatalf("%v: ICC %v", items, *r.ICC)
		}
	})
}

// Items with 2, 3 or 4 repeats of known variances.
func TestRetestUneven(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var items [][]float64
	for range 20000 {
		level := 0.3 * r.NormFloat64()
		scores := make([]float64, 2+r.IntN(3))
		for i := range scores {
			scores[i] = level + 0.2*r.NormFloat64()
		}
		items = append(items, scores)
	}
	got := retest(t, items, above5)
	if math.Abs(got.Within-0.04) > 0.001 || math.Abs(got.Between-0.09) > 0.003 || math.Abs(*got.ICC-9.0/13) > 0.01 {
		t.Errorf("%+v, ICC %v", got, *got.ICC)
	}
}

func TestRetestEdges(t *testing.T) {
	var none stats.RetestSum
	if _, err := none.Retest(0.95); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("nothing: %v", err)
	}
	if one := retest(t, [][]float64{{0, 1}}, above5); one.ICC != nil || one.Between != 0 || one.Within != 0.5 || one.Items != 1 {
		t.Errorf("one item: %+v", one)
	}
	if same := retest(t, [][]float64{{1, 1}, {1, 1}}, above5); same.ICC != nil || same.Total != 0 || same.FlipInterval.Low != 0 || !(same.FlipInterval.High > 0.5) {
		t.Errorf("all alike: %+v", same)
	}
	if less := retest(t, [][]float64{{0, 1}, {1, 0}}, above5); less.Between != 0 || less.ICC == nil || *less.ICC != 0 {
		t.Errorf("less between than by chance: %+v", less)
	}
	var bad *stats.BadValue
	for _, c := range []struct {
		scores []float64
		right  []bool
		index  int
	}{
		{[]float64{1}, []bool{true}, -1},
		{nil, nil, -1},
		{[]float64{1, 1}, []bool{true}, -1},
		{[]float64{1, math.NaN()}, []bool{true, true}, 1},
		{[]float64{math.Inf(1), 1}, []bool{true, true}, 0},
	} {
		if err := none.Add(c.scores, c.right); !errors.As(err, &bad) || bad.Index != c.index {
			t.Errorf("%v, %v: %v", c.scores, c.right, err)
		}
	}
	if _, err := none.Retest(0.95); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("what was refused left a trace: %v", err)
	}
	if err := none.Add([]float64{1, 0}, []bool{true, false}); err != nil {
		t.Fatal(err)
	}
	if _, err := none.Retest(1); !errors.As(err, &bad) {
		t.Errorf("confidence 1: %v", err)
	}
}

// The ratings of Shrout and Fleiss 1979, table 2; they find 6.26 within and an
// ICC(1,1) of 0.17.
func ExampleRetestSum() {
	var sum stats.RetestSum
	for _, scores := range targets {
		if err := sum.Add(scores, successes(scores, above5)); err != nil {
			fmt.Println(err)
		}
	}
	r, err := sum.Retest(0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("within %.2f, ICC %.2f\n", r.Within, *r.ICC)
	// Output: within 6.26, ICC 0.17
}

// TestSpreadShareCoverage: with four wordings that differ, the interval holds the share over
// all wordings; Wilson's, which knows nothing of wordings, does not.
func TestSpreadShareCoverage(t *testing.T) {
	exhaustive.Only(t)
	runs := 20_000
	r := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		tasks, items int     // of each wording
		share, sd    float64 // over all wordings, and between them
	}{
		{1, 25, 0.7, 0}, {1, 25, 0.7, 0.05}, {1, 25, 0.7, 0.1}, {1, 100, 0.7, 0.1}, {1, 100, 0.9, 0.05},
		{7, 5, 0.8, 0}, {7, 5, 0.8, 0.1}, {7, 25, 0.8, 0.1}, {18, 20, 0.7, 0.1},
	} {
		held, plain, width, plainWidth := 0, 0, 0.0, 0.0
		for range runs {
			tasks, right, n := make([][]stats.WordingCount, c.tasks), 0, 0
			for i := range tasks {
				for range 4 {
					w := stats.WordingCount{N: int64(c.items)}
					p := min(max(c.share+c.sd*math.Sqrt(3)*(2*r.Float64()-1), 0), 1)
					for range c.items {
						if r.Float64() < p {
							w.Right++
						}
					}
					tasks[i] = append(tasks[i], w)
					right, n = right+int(w.Right), n+c.items
				}
			}
			low, high := stats.SpreadShare(tasks, 0.95)
			if low <= c.share && c.share <= high {
				held++
			}
			width += (high - low) / float64(runs)
			low, high = stats.Wilson(right, n, 0.95)
			if low <= c.share && c.share <= high {
				plain++
			}
			plainWidth += (high - low) / float64(runs)
		}
		share := float64(held) / float64(runs)
		t.Logf("%+v: %.3f hold it, %.3f wide; Wilson's %.3f, %.3f wide", c, share, width, float64(plain)/float64(runs), plainWidth)
		if share < 0.92-2*math.Sqrt(0.92*0.08/float64(runs)) {
			t.Errorf("%+v: %.3f of the intervals hold the share", c, share)
		}
	}
}

func TestSpreadShareEdges(t *testing.T) {
	for name, tasks := range map[string][][]stats.WordingCount{
		"all right":              {{{10, 10}, {10, 10}}},
		"all wrong":              {{{0, 10}, {0, 10}}},
		"one wording":            {{{7, 10}}},
		"equal wordings":         {{{7, 10}, {7, 10}}},
		"a wording without item": {{{7, 10}, {0, 0}}},
	} {
		right, n := 0, 0
		for _, w := range tasks[0] {
			right, n = right+int(w.Right), n+int(w.N)
		}
		low, high := stats.SpreadShare(tasks, 0.95)
		wantLow, wantHigh := stats.Wilson(right, n, 0.95)
		if low != wantLow || high != wantHigh {
			t.Errorf("%s: %v to %v, want Wilson's %v to %v", name, low, high, wantLow, wantHigh)
		}
	}
	if low, high := stats.SpreadShare(nil, 0.95); !math.IsNaN(low) || !math.IsNaN(high) {
		t.Errorf("no answers: %v to %v", low, high)
	}
	low, high := stats.SpreadShare([][]stats.WordingCount{{{0, 50}, {50, 50}}}, 0.95)
	if !(low < 0.1 && high > 0.9) {
		t.Errorf("two wordings that decide all: %v to %v", low, high)
	}
}
