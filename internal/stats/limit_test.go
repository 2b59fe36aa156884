package stats_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/stats"
)

// counted reads the counts of a row of l50.csv.
func counted(t testing.TB, row map[string]string) []stats.Counts {
	t.Helper()
	var counts []stats.Counts
	n := strings.Fields(row["n"])
	for i, s := range strings.Fields(row["successes"]) {
		right, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all, err := strconv.ParseInt(n[i], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, stats.Counts{Length: 2 << i, Right: right, N: all})
	}
	if len(counts) != 8 {
		t.Fatalf("%s %s has %d lengths", row["model"], row["task"], len(counts))
	}
	return counts
}

func TestFitLimitOfPublishedResults(t *testing.T) {
	table := rows(t, "stats/l50.csv")
	if len(table) != 133 {
		t.Fatalf("%d rows", len(table))
	}
	for _, row := range table {
		l, err := stats.FitLimit(counted(t, row))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			column string
			got    float64
			tol    float64
		}{
			{"L50", l.L50, 0.005001},
			{"lo", l.Interval.Low, 0.005001},
			{"hi", l.Interval.High, 0.005001},
			{"p_above_256", l.Above, 0.000501},
			{"p_below_2", l.Below, 0.000501},
		} {
			if want := number(t, row[c.column]); math.Abs(c.got-want) > c.tol {
				t.Errorf("%s %s: %s is %.4f, want %v", row["model"], row["task"], c.column, c.got, want)
			}
		}
	}
}

func TestLimitByTaskOfPublishedResults(t *testing.T) {
	tasks := map[string][][]stats.Counts{}
	table := rows(t, "stats/l50.csv")
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
		l, err := stats.LimitByTask(tasks[row["model"]], 1000, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := number(t, row["L50"]); math.Abs(l.L50-want) > 0.005001 {
			t.Errorf("%s: L50 is %.2f, want %v", row["model"], l.L50, want)
		}
		// Both ends come from resampling on both sides: that many resamples leave
		// them uncertain by a thirtieth of the width.
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

func BenchmarkLimitByTask(b *testing.B) {
	var tasks [][]stats.Counts
	for _, row := range rows(b, "stats/l50.csv") {
		if row["model"] == "GPT-4o" && row["task"] != "ALL" {
			tasks = append(tasks, counted(b, row))
		}
	}
	for b.Loop() {
		if _, err := stats.LimitByTask(tasks, 1000, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFitLimit(b *testing.B) {
	counts := []stats.Counts{{2, 10, 10}, {4, 10, 10}, {8, 10, 10}, {16, 10, 10}, {32, 9, 10}, {64, 7, 10}, {128, 3, 10}, {256, 0, 10}}
	for b.Loop() {
		if _, err := stats.FitLimit(counts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLimitModelFit(b *testing.B) {
	counts := []stats.Counts{{2, 10, 10}, {4, 10, 10}, {8, 10, 10}, {16, 10, 10}, {32, 9, 10}, {64, 7, 10}, {128, 3, 10}, {256, 0, 10}}
	m, err := stats.NewLimitModel(counts)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f, err := m.Fit(counts)
		if err != nil {
			b.Fatal(err)
		}
		_ = f.Limit()
	}
}

func BenchmarkLimitFitAdd(b *testing.B) {
	f, err := stats.NewLimitFit(2, 256)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if err := f.Add(2<<(i%8), i%8 < 5); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLimitFitLimit(b *testing.B) {
	f, err := stats.NewLimitFit(2, 256)
	if err != nil {
		b.Fatal(err)
	}
	for i := range 80 {
		if err := f.Add(2<<(i%8), i%8 < 5); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		_ = f.Limit()
	}
}
