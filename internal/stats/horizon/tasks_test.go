package horizon_test

import (
	"fmt"
	"math"
	"testing"

	"verbatim/internal/oracle"
	"verbatim/internal/stats/horizon"
)

func TestLimitByTaskOfPublishedResults(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	tasks := map[string][][]horizon.Counts{}
	table := oracle.Rows(t, "stats/l50.csv")
	for _, row := range table {
		if row["task"] != "ALL" {
			tasks[row["model"]] = append(tasks[row["model"]], counted(t, row))
		}
	}
	models := 0
	for _, row := range table {
		if row["task"] != "ALL" {
			continue
		}
		models++
		m, err := horizon.NewReferenceModel(counted(t, row))
		if err != nil {
			t.Fatal(err)
		}
		l, err := m.FitTasks(tasks[row["model"]], 1000, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := number(t, row["L50"]); math.Abs(l.L50-want) > 0.005001 {
			t.Errorf("%s: L50 is %.2f, want %v", row["model"], l.L50, want)
		}
		// Both programs find the ends by resampling: with that many resamples they are
		// uncertain by a thirtieth of the width.
		lo, hi := number(t, row["cluster_lo"]), number(t, row["cluster_hi"])
		tol := 0.1 * math.Log2(hi/lo)
		if math.Abs(math.Log2(l.Interval.Low/lo)) > tol || math.Abs(math.Log2(l.Interval.High/hi)) > tol {
			t.Errorf("%s: [%.2f, %.2f], want [%.2f, %.2f]", row["model"], l.Interval.Low, l.Interval.High, lo, hi)
		}
		t.Logf("%s: [%.2f, %.2f], want [%.2f, %.2f]", row["model"], l.Interval.Low, l.Interval.High, lo, hi)
	}
	if models != 7 {
		t.Fatalf("%d models", models)
	}
}

// The same seed gives the same interval, another seed nearly the same.
func TestLimitByTaskSeed(t *testing.T) {
	var tasks [][]horizon.Counts
	for i := range int64(8) {
		tasks = append(tasks, []horizon.Counts{{2, 10, 10}, {8, 10 - i/2, 10}, {32, 8 - i, 10}, {128, (7 - i) / 3, 10}})
	}
	limit := func(seed uint64) horizon.Estimate {
		l, err := horizon.FitTasks(tasks, 500, seed)
		if err != nil {
			t.Fatal(err)
		}
		return *l
	}
	a, again, b := limit(1), limit(1), limit(2)
	if a != again {
		t.Errorf("%+v, then %+v", a, again)
	}
	if a == b {
		t.Error("the seed changes nothing")
	}
	if math.Abs(math.Log2(a.Interval.Low/b.Interval.Low)) > 0.3 || math.Abs(math.Log2(a.Interval.High/b.Interval.High)) > 0.3 {
		t.Errorf("%+v with seed 1, %+v with seed 2", a, b)
	}
}

// Tasks that are all alike have nothing to resample; all right is beyond the longest.
func TestLimitByTaskAlike(t *testing.T) {
	task := []horizon.Counts{{2, 10, 10}, {64, 5, 10}, {256, 0, 10}}
	l, err := horizon.FitTasks([][]horizon.Counts{task, task, task}, 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(math.Log2(l.Interval.High/l.Interval.Low)) > 1e-9 || math.Abs(math.Log2(l.L50/l.Interval.Low)) > 0.051 {
		t.Errorf("%+v", *l)
	}
	// Of few answers the posterior is wide and lopsided; a resample finds its median too.
	for _, few := range [][]horizon.Counts{
		{{2, 3, 3}, {16, 2, 3}, {256, 0, 3}}, {{2, 2, 2}, {64, 2, 2}, {256, 1, 2}}, {{2, 1, 2}, {16, 0, 2}, {64, 0, 2}}, {{2, 8, 10}, {256, 8, 10}},
	} {
		l, err := horizon.FitTasks([][]horizon.Counts{few, few}, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %v, resampled %v", few, l.L50, l.Interval.Low)
		if math.Abs(math.Log2(l.L50/l.Interval.Low)) > 0.11 {
			t.Errorf("%v: %v, resampled %v", few, l.L50, l.Interval.Low)
		}
	}
	best := []horizon.Counts{{2, 10, 10}, {256, 10, 10}}
	if l, err = horizon.FitTasks([][]horizon.Counts{best, best}, 50, 1); err != nil {
		t.Fatal(err)
	}
	if l.Above != 1 || l.Below != 0 || l.String() != "> 256" {
		t.Errorf("%v, %+v", l, *l)
	}
}

func ExampleFitTasks() {
	// Right answers of o3-mini for sorting lists of 2 to 256 (Herbold 2025, arXiv
	// 2504.08312, published scores), ten lists of each length.
	var tasks [][]horizon.Counts
	for _, right := range [][8]int64{
		{10, 10, 10, 10, 9, 5, 3, 0},  // words in both cases
		{10, 10, 10, 10, 9, 7, 0, 0},  // words in lower case
		{10, 10, 10, 10, 10, 7, 0, 0}, // English words
		{10, 10, 10, 10, 10, 5, 0, 0}, // the same with duplicates
	} {
		var counts []horizon.Counts
		for i, n := range right {
			counts = append(counts, horizon.Counts{Length: 2 << i, Right: n, N: 10})
		}
		tasks = append(tasks, counts)
	}
	l, err := horizon.FitTasks(tasks, 1000, 1)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v, at tasks like these between %.0f and %.0f\n", l, l.Interval.Low, l.Interval.High)
	// Output: 69, at tasks like these between 64 and 74
}
