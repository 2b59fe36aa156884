package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/verdict"
)

// repeatedRun makes a run of items with several trials, whose answers are right with a
// probability of each item.
func repeatedRun(name string, items, trials int, seed uint64) (Input, [][]bool) {
	random := rand.New(rand.NewPCG(seed, 7))
	run := verbatim.Run{Name: name, Model: name, Plan: verbatim.Plan{Hash: "h", Trials: trials, Count: int64(items * trials), Cells: []verbatim.Cell{{Family: "copy", N: items, Length: verbatim.Lengths{Min: 8, Max: 8}}}}}
	var records []verbatim.Record
	right := make([][]bool, items)
	for item := range items {
		chance := random.Float64()
		for trial := range trials {
			o := verbatim.Wrong
			if random.Float64() < chance {
				o = verbatim.Pass
			}
			right[item] = append(right[item], o == verbatim.Pass)
			r := recordtest.Record("copy", "8", o, "")
			r.Seq, r.Trial, r.Item.ID = int64(len(records)), trial, fmt.Sprint("copy/", item)
			records = append(records, r)
		}
	}
	return Input{Run: run, Records: recordtest.Each(records...)}, right
}

// enumerated is the mean over items of the share of all choices of k answers of which at least
// least are right, by enumeration.
func enumerated(right [][]bool, k, least int) float64 {
	mean := 0.0
	for _, answers := range right {
		choices, hits := 0, 0
		for choice := range 1 << len(answers) {
			size, good := 0, 0
			for i, ok := range answers {
				if choice>>i&1 == 1 {
					size++
					if ok {
						good++
					}
				}
			}
			if size == k {
				choices++
				if good >= least {
					hits++
				}
			}
		}
		mean += float64(hits) / float64(choices) / float64(len(right))
	}
	return mean
}

// TestTrialMetrics: a report, a ranking and a comparison have the metrics over trials as
// enumeration gives them, with one interval.
func TestTrialMetrics(t *testing.T) {
	const items, trials = 12, 5
	a, rightA := repeatedRun("a", items, trials, 1)
	b, rightB := repeatedRun("b", items, trials, 2)
	for name, c := range map[string]struct{ k, least int }{
		"pass@1": {1, 1}, "pass@2": {2, 1}, "pass@4": {4, 1}, "pass@5": {5, 1}, "all@1": {1, 1}, "all@3": {3, 3}, "all@5": {5, 5}, "all": {5, 5}, "majority": {5, 3},
	} {
		m, err := ParseMetric(name)
		if err != nil {
			t.Fatal(err)
		}
		wantA, wantB := enumerated(rightA, c.k, c.least), enumerated(rightB, c.k, c.least)
		r, err := Of(Options{Metric: m}, a, b)
		if err != nil {
			t.Fatal(err)
		}
		score := r.Runs[0].Total.Score
		if score.N != items || math.Abs(*score.Value-wantA) > 1e-12 || !(*score.Low <= wantA && wantA <= *score.High) || *score.High-*score.Low < 0.1 {
			t.Errorf("%s: the report says %v (%v to %v) over %d items, want %v", name, *score.Value, *score.Low, *score.High, score.N, wantA)
		}
		sides := []verdict.Side{{Run: a.Run, Records: a.Records}, {Run: b.Run, Records: b.Records}}
		board, err := verdict.Rank(sides, verdict.RankOptions{Metric: name, Score: m.Score, ItemScore: m.ItemScore()})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range board.Places {
			if p.Name == "a" && (math.Abs(p.Mean-wantA) > 1e-9 || math.Abs(p.Low-*score.Low) > 1e-5 || math.Abs(p.High-*score.High) > 1e-5) {
				t.Errorf("%s: the ranking says %v (%v to %v), the report %v (%v to %v)", name, p.Mean, p.Low, p.High, *score.Value, *score.Low, *score.High)
			}
		}
		o := verdict.Defaults(name, m.Score)
		o.ItemScore = m.ItemScore()
		compared, err := verdict.Compare(sides[0], sides[1], o)
		if err != nil {
			t.Fatal(err)
		}
		if d := compared.Difference; math.Abs(d.Value-(wantB-wantA)) > 1e-9 || math.Abs(compared.A.Mean-wantA) > 1e-9 || compared.Items != items {
			t.Errorf("%s: the comparison says %v of %v over %d items, want %v of %v", name, d.Value, compared.A.Mean, compared.Items, wantB-wantA, wantA)
		}
	}
	r, err := Of(Options{}, a)
	if err != nil {
		t.Fatal(err)
	}
	trialsOf := r.Runs[0].Total.Trials
	if len(trialsOf.Fewer) != trials-1 {
		t.Fatalf("%+v", trialsOf)
	}
	for i, f := range trialsOf.Fewer {
		k := i + 1
		if f.Trials != int64(k) || math.Abs(*f.Any.Value-enumerated(rightA, k, 1)) > 1e-12 || math.Abs(*f.All.Value-enumerated(rightA, k, k)) > 1e-12 {
			t.Errorf("%d trials: %v and %v, want %v and %v", k, *f.Any.Value, *f.All.Value, enumerated(rightA, k, 1), enumerated(rightA, k, k))
		}
	}
}

// TestTrialMetricsRefuse: a metric over more trials than there are is an error, and an item
// with too few answers is left out, with a warning.
func TestTrialMetricsRefuse(t *testing.T) {
	for _, bad := range []string{"pass@", "pass@0", "pass@-1", "all@x", "pass", "majority@2", "pass@99999999999"} {
		if m, err := ParseMetric(bad); err == nil {
			t.Errorf("%q is read as %q", bad, m)
		}
	}
	if _, err := ParseAnswerMetric("pass@2"); err == nil || !strings.Contains(err.Error(), "one by one") {
		t.Errorf("a test that stops early takes pass@2: %v", err)
	}
	three, _ := repeatedRun("three", 4, 3, 1)
	five, _ := repeatedRun("five", 4, 5, 2)
	if _, err := Of(Options{Metric: "pass@4"}, five, three); err == nil || err.Error() != "--metric pass@4 needs 4 trials of each item, but run three has 3" {
		t.Errorf("pass@4 of three trials: %v", err)
	}
	if _, err := Of(Options{Metric: metricAll}, five, three); err == nil || !strings.Contains(err.Error(), "run five has 5 and run three has 3") {
		t.Errorf("all of three and of five trials: %v", err)
	}
	if _, err := Of(Options{Metric: "all@3"}, five, three); err != nil {
		t.Error(err)
	}
	var records []verbatim.Record
	for r := range three.Records {
		if r.Item.ID == "copy/0" && r.Trial == 2 {
			r = recordtest.Record("copy", "8", verbatim.Errored, "")
			r.Item.ID = "copy/0"
		}
		records = append(records, r)
	}
	r, err := Of(Options{Metric: metricMajority}, Input{Run: three.Run, Records: recordtest.Each(records...)})
	if err != nil {
		t.Fatal(err)
	}
	if b := r.Runs[0]; b.Total.Score.N != 3 || !warned(b.Warnings, "1 of 4 items have too few answers for the metric majority") {
		t.Errorf("%+v, %v", b.Total.Score, b.Warnings)
	}
}

// warned reports whether a warning has a text.
func warned(list []Warning, text string) bool {
	for _, w := range list {
		if strings.Contains(w.Text, text) {
			return true
		}
	}
	return false
}
