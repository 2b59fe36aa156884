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
