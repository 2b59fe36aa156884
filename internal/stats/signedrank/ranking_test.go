package signedrank_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/stats"
	"verbatim/internal/stats/signedrank"
)

// sleep are hours of sleep that two drugs added, ten patients each (Student 1908,
// Biometrika 6:1–25, table on p. 20).
func sleep() (names []string, hours [][]float64) {
	return []string{"dextro", "laevo"}, [][]float64{
		{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0},
		{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4},
	}
}

func ExampleRank() {
	names, hours := sleep()
	r, err := signedrank.Rank(names, hours, 0.05, signedrank.Draws{})
	if err != nil {
		panic(err)
	}
	for _, row := range r.Rows {
		fmt.Printf("%-6s mean %.2f, SD %.2f, d %.2f (%s)\n", row.Name, row.Mean, row.SD, *row.Best.D, row.Best.Magnitude)
	}
	fmt.Println(r.Pairs[0].Decision)
	// Output:
	// laevo  mean 2.33, SD 2.00, d 0.00 (negligible)
	// dextro mean 0.75, SD 1.79, d 0.83 (large)
	// smaller
}

func ExampleMagnitude() {
	// The bounds of Cohen 1988.
	for _, d := range []float64{0.1, -0.2, 0.5, 0.8} {
		fmt.Println(d, signedrank.Magnitude(d))
	}
	// Output:
	// 0.1 negligible
	// -0.2 small
	// 0.5 medium
	// 0.8 large
}

// A table of published results is of seven columns, whose intervals are those of a
// confidence of 1 - 0.05/49: t is 3.34 with 179 degrees of freedom.
func TestRankInterval(t *testing.T) {
	var names []string
	var scores [][]float64
	for i := range 7 {
		column := make([]float64, 180)
		for j := range column {
			column[j] = float64((i + j) % 2)
		}
		names, scores = append(names, fmt.Sprint(i)), append(scores, column)
	}
	r, err := signedrank.Rank(names, scores, 0.05, signedrank.Draws{})
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0]
	if got := (row.Interval.High - row.Mean) * math.Sqrt(180) / row.SD; math.Abs(got-3.34) > 0.005 {
		t.Errorf("t is %v", got)
	}
}

func TestRankEdges(t *testing.T) {
	nan := math.NaN()
	rank := func(scores ...[]float64) *signedrank.Ranking {
		r, err := signedrank.Rank([]string{"a", "b", "c"}[:len(scores)], scores, 0.05, signedrank.Draws{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	// Columns without a spread: no number for d, and nothing but ties, which a test
	// without a ROPE has to call smaller.
	r := rank([]float64{1, 1, 1}, []float64{1, 1, 1})
	if p := r.Pairs[0]; r.Rows[1].Best.D != nil || r.Rows[1].Best.Magnitude != "large" || p.Rope != 0 || p.Decision != signedrank.Smaller || p.Result.Smaller != 1 {
		t.Errorf("two constant columns: %+v", r)
	}
	if r.Rows[0].Name != "a" || r.Rows[0].Interval != (stats.Interval{Low: 1, High: 1}) {
		t.Errorf("two constant columns: %+v", r.Rows)
	}
	r = rank([]float64{0, 0, 0}, []float64{1, 1, 1})
	if r.Rows[0].Name != "b" || r.Rows[0].Column != 1 || r.Rows[1].Best.D != nil || r.Pairs[0].Result.Smaller != 1 {
		t.Errorf("constant columns apart: %+v", r)
	}
	// An undefined score counts in the degrees of freedom only.
	r = rank([]float64{1, 0, 1, nan}, []float64{0, 0, 1, 0}, []float64{0, 0, 0, 0})
	if row := r.Rows[0]; row.Name != "a" || row.N != 3 || math.Abs(row.Mean-2./3) > 1e-15 || math.Abs(row.SD-math.Sqrt(1./3)) > 1e-15 || len(r.Pairs) != 3 {
		t.Errorf("an undefined score: %+v", r)
	}
	if last := r.Pairs[2]; last.Upper != 1 || last.Lower != 2 {
		t.Errorf("pairs: %+v", r.Pairs)
	}
}

// Columns with equal means keep their order, also where there are many.
func TestRankTies(t *testing.T) {
	var names []string
	var scores [][]float64
	for i := range 20 {
		names, scores = append(names, fmt.Sprint(i)), append(scores, []float64{0, float64(i % 2), 1})
	}
	r, err := signedrank.Rank(names, scores, 0.05, signedrank.Draws{Max: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range r.Rows {
		if want := (2*i + 1) % 21; row.Column != want {
			t.Errorf("column %d is at %d, want %d", row.Column, i, want)
		}
	}
	if p := r.Pairs[len(r.Pairs)-1]; len(r.Pairs) != 190 || p.Decision != signedrank.Equal || p.Result.Equal != 1 {
		t.Errorf("%d pairs, the last %+v", len(r.Pairs), p)
	}
}

func TestRankRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	two, good := []string{"a", "b"}, [][]float64{{0, 1}, {1, 1}}
	for _, c := range []struct {
		name   string
		names  []string
		scores [][]float64
		alpha  float64
		bad    bool
	}{
		{"one column", two[:1], good[:1], 0.05, false},
		{"no column", nil, nil, 0.05, false},
		{"a name too few", two[:1], good, 0.05, false},
		{"columns of two sizes", two, [][]float64{{0, 1}, {1, 1, 1}}, 0.05, false},
		{"one score each", two, [][]float64{{0}, {1}}, 0.05, false},
		{"one defined score", two, [][]float64{{0, 1}, {1, nan}}, 0.05, false},
		{"an infinity", two, [][]float64{{0, 1}, {1, inf}}, 0.05, true},
		{"alpha 0", two, good, 0, true},
		{"alpha 1", two, good, 1, true},
		{"alpha NaN", two, good, nan, true},
	} {
		_, err := signedrank.Rank(c.names, c.scores, c.alpha, signedrank.Draws{})
		var bad *stats.BadValue
		if err == nil || errors.As(err, &bad) != c.bad {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := signedrank.Rank(two, good, 0.05, signedrank.Draws{Max: 1}); err == nil {
		t.Error("one draw is not refused")
	}
}

// The order in which columns are given changes nothing but their places.
func TestRankOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := make([][]float64, 3)
		for i := range scores {
			scores[i] = rapid.SliceOfN(rapid.Float64Range(0, 1), 5, 5).Draw(t, "scores")
		}
		names := []string{"a", "b", "c"}
		o := signedrank.Draws{Max: 200}
		r, err := signedrank.Rank(names, scores, 0.05, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if r.Rows[i].Mean < r.Rows[i+1].Mean || r.Rows[i].Mean == r.Rows[i+1].Mean && r.Rows[i].Column > r.Rows[i+1].Column {
				t.Fatalf("%+v", r.Rows)
			}
		}
		if r.Rows[0].Mean == r.Rows[1].Mean || r.Rows[1].Mean == r.Rows[2].Mean {
			t.Skip("columns with equal means do not keep the given order")
		}
		slices.Reverse(names)
		slices.Reverse(scores)
		turned, err := signedrank.Rank(names, scores, 0.05, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Pairs, turned.Pairs) {
			t.Fatalf("%+v, turned %+v", r.Pairs, turned.Pairs)
		}
		for i := range r.Rows {
			if a, b := r.Rows[i], turned.Rows[i]; a.Name != b.Name || a.N != b.N || a.Mean != b.Mean || a.SD != b.SD || a.Column != 2-b.Column {
				t.Fatalf("%+v, turned %+v", a, b)
			}
		}
	})
}

func ExampleLengthWeighted() {
	// Lists of two score 1 on average, lists of four 0.5; by hand (2·1 + 4·0.5) / 6.
	mean, ok, err := stats.LengthWeighted([]int{2, 2, 4, 4}, []float64{1, math.NaN(), 0.25, 0.75})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f %v\n", mean, ok)
	// Output: 0.667 true
}

func TestLengthWeightedEdges(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name    string
		lengths []int
		scores  []float64
		mean    float64
		ok, bad bool
	}{
		{"nothing", nil, nil, 0, false, false},
		{"nothing defined", []int{2, 4}, []float64{nan, nan}, 0, false, false},
		{"a length without a score", []int{2, 4}, []float64{0.5, nan}, 0.5, true, false},
		{"more of one length", []int{1, 1, 1, 3}, []float64{1, 1, 1, 0}, 0.25, true, false},
		{"a length of 0", []int{0}, []float64{1}, 0, false, true},
		{"an infinity", []int{1}, []float64{math.Inf(-1)}, 0, false, true},
		{"a score too few", []int{1, 2}, []float64{1}, 0, false, true},
	} {
		mean, ok, err := stats.LengthWeighted(c.lengths, c.scores)
		var bad *stats.BadValue
		if mean != c.mean || ok != c.ok || errors.As(err, &bad) != c.bad {
			t.Errorf("%s: %v, %v, %v", c.name, mean, ok, err)
		}
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct {
		smaller, equal, larger float64
		want                   signedrank.Decision
	}{
		{0.96, 0.04, 0, signedrank.Smaller},
		{0.04, 0.96, 0, signedrank.Equal},
		{0, 0.04, 0.96, signedrank.Larger},
		{0.94, 0.06, 0, signedrank.Inconclusive},
		{0.75, 0.25, 0, signedrank.Inconclusive},
	} {
		if got := (signedrank.Result{Smaller: c.smaller, Equal: c.equal, Larger: c.larger}).Decide(0.05); got != c.want {
			t.Errorf("%v, %v, %v: %s, want %s", c.smaller, c.equal, c.larger, got, c.want)
		}
	}
	if got := (signedrank.Result{Smaller: 0.75, Equal: 0.25}).Decide(0.25); got != signedrank.Smaller {
		t.Errorf("a probability of exactly 1 - alpha: %s", got)
	}
}
