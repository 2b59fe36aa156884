package report

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/stats"
	"verbatim/internal/verdict"
)

// TestTrialsAreNoItems simulates runs whose items differ in how hard they are, and wants
// the printed interval to hold the true share about as often as it says, for every number
// of trials.
func TestTrialsAreNoItems(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name          string
		items, trials int
		chance        func() float64 // that an answer to the next item is right
		mean          float64
	}{
		{"items fixed right or wrong, once", 20, 1, func() float64 { return fixed(random, 0.7) }, 0.7},
		{"items fixed right or wrong", 20, 5, func() float64 { return fixed(random, 0.7) }, 0.7},
		{"items fixed right or wrong, more", 100, 3, func() float64 { return fixed(random, 0.7) }, 0.7},
		{"items of different chances", 40, 5, func() float64 { return 0.4 + 0.6*random.Float64() }, 0.7},
		{"items alike", 40, 5, func() float64 { return 0.7 }, 0.7},
	} {
		const rounds = 2000
		covered := 0
		for range rounds {
			var cell cell
			for item := range c.items {
				p := c.chance()
				for range c.trials {
					cell.add(&entry{answered: true, exact: random.Float64() < p, item: uint64(item + 1)})
				}
			}
			r := cell.finish(nil).Exact
			if int(r.Items) != c.items || int(r.Of) != c.items*c.trials {
				t.Fatalf("%s: %d items, %d answers", c.name, r.Items, r.Of)
			}
			if *r.Low <= c.mean && c.mean <= *r.High {
				covered++
			}
		}
		share := float64(covered) / rounds
		t.Logf("%s, %d × %d: coverage %.3f", c.name, c.items, c.trials, share)
		if share < 0.925 { // 0.94, less three standard errors
			t.Errorf("%s, %d × %d: the interval holds the truth in %.3f of runs", c.name, c.items, c.trials, share)
		}
	}
}

// fixed returns 1 with the chance p, and 0 otherwise.
func fixed(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// TestTrials counts trials by item, and the same items of two runs once in a group.
func TestTrials(t *testing.T) {
	var records []verbatim.Record
	for trial := range 3 {
		for item := range 4 {
			o := verbatim.Wrong
			if item < 2 && (item == 0 || trial > 0) { // the first in 3 trials, the second in 2
				o = verbatim.Pass
			}
			r := recordtest.Record("copy", "8", o, "")
			r.Seq, r.Trial = int64(len(records)), trial
			r.Item.ID = string(rune('a' + item))
			records = append(records, r)
		}
	}
	run := verbatim.Run{Name: "r", Model: "m", Plan: verbatim.Plan{Trials: 3, Count: 12, Cells: []verbatim.Cell{{Family: "copy", N: 4, Length: verbatim.Lengths{Min: 8, Max: 8}}}}}
	in := Input{Run: run, Records: recordtest.Each(records...)}
	r, err := Of(Options{GroupBy: []string{"model"}}, in, in)
	if err != nil {
		t.Fatal(err)
	}
	total := r.Runs[0].Total
	if e := total.Exact; e.N != 5 || e.Of != 12 || e.Items != 4 {
		t.Errorf("%d of %d answers to %d items, want 5 of 12 to 4", e.N, e.Of, e.Items)
	}
	if tr := total.Trials; tr == nil || tr.Each != 3 || tr.Any.N != 2 || tr.All.N != 1 || tr.Majority.N != 2 || tr.Any.Of != 4 {
		t.Errorf("trials %+v", tr)
	}
	if e := r.Groups.Groups[0].Line.Exact; e.Of != 24 || e.Items != 4 {
		t.Errorf("two runs of the same items: %d answers to %d items, want 24 to 4", e.Of, e.Items)
	}
}

// TestPartsAreByItem: the rates of wordings, of retried requests and of first errors have
// intervals by item too.
func TestPartsAreByItem(t *testing.T) {
	var records []verbatim.Record
	for item := range 20 {
		for trial := range 5 {
			o := verbatim.Wrong
			if item%2 == 0 {
				o = verbatim.Pass
			}
			r := recordtest.Record("copy-long", "1000", o, "corrupted")
			r.Seq, r.Trial, r.Item.ID = int64(len(records)), trial, "copy-long@1/len=1000/seed=1/"+string(rune('a'+item))
			r.Grade.Grader, r.Grade.Measures = "text/3", map[string]float64{"lcp_share": 0.05}
			r.Reply = &verbatim.Reply{Attempts: []verbatim.Attempt{{N: 1}, {N: 2}}}
			records = append(records, r)
		}
	}
	run := verbatim.Run{Name: "r", Model: "m", Plan: verbatim.Plan{Trials: 5, Count: 100, Variant: &verbatim.Variant{Paraphrase: verbatim.SpreadOver(2)},
		Cells: []verbatim.Cell{{Family: "copy-long", N: 20, Length: verbatim.Lengths{Min: 1000, Max: 1000}}}}}
	r, err := Of(Options{}, Input{Run: run, Pieces: []iter.Seq2[verbatim.Record, error]{recordtest.Each(records[:33]...), recordtest.Each(records[33:]...)}})
	if err != nil {
		t.Fatal(err)
	}
	b := r.Runs[0]
	rates := map[string]Rate{"retried": b.Retried.Exact, "first errors": b.Families[0].FirstErrors[0], "a wording": b.Wordings[0].Exact}
	for what, rate := range rates {
		low, high := stats.Wilson(int(rate.N/5), int(rate.Of/5), confidence)
		if rate.Items != rate.Of/5 || math.Abs(*rate.Low-low) > 1e-9 || math.Abs(*rate.High-high) > 1e-9 {
			t.Errorf("%s: %d of %d answers to %d items, %v to %v, want %v to %v", what, rate.N, rate.Of, rate.Items, *rate.Low, *rate.High, low, high)
		}
	}
}

// TestTrialsOfManyItems compares the summary of items that are counted together with that of items
// one by one.
func TestTrialsOfManyItems(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	var items countedItems
	var whole, once, every, mostly, inTwo int64
	for i := range 500 {
		n := stats.ItemCount{Key: uint64(i), Answers: 4 - random.Int32N(2)*random.Int32N(2)}
		n.Exact = random.Int32N(n.Answers + 1)
		items = append(items, n)
		if n.Answers == 4 {
			whole++
			once += int64(min(n.Exact, 1))
			every += int64(n.Exact / 4)
			mostly += int64(n.Exact / 3)
		}
		if n.Answers >= 2 {
			inTwo++
		}
	}
	tr := trials(items.alike())
	if tr.Each != 4 || tr.Any.Of != whole || tr.Any.N != once || tr.All.N != every || tr.Majority.N != mostly || tr.Fewer[1].Any.N != inTwo {
		t.Errorf("%+v, want %d items: %d at least once, %d always, %d mostly", tr, whole, once, every, mostly)
	}
}

// TestDaysAreByItem wants the answers of each day to be counted by item, wherever the second day
// begins, whether records without a time come before it, and however the records are cut.
func TestDaysAreByItem(t *testing.T) {
	for _, c := range []struct{ second, timeless, cut int }{{30, 60, 20}, {1, 60, 30}, {59, 60, 59}, {30, 0, 45}, {30, 40, 30}, {60, 60, 30}, {60, 20, 10}, {0, 5, 3}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) { testDaysAreByItem(t, c.second, c.timeless, c.cut) })
	}
}

// testDaysAreByItem makes three trials of 20 items. The second day begins at one record, another
// has no time, and a second piece begins at a third.
func testDaysAreByItem(t *testing.T, second, timeless, cut int) {
	first := time.Date(2026, 11, 25, 23, 0, 0, 0, time.UTC)
	var records []verbatim.Record
	byDay := map[string][]verbatim.Record{}
	for i := range 60 {
		o := verbatim.Wrong
		if i%20 < 7 || i%9 == 0 {
			o = verbatim.Pass
		}
		r := recordtest.Record("copy", fmt.Sprint(8*(1+i%2)), o, "corrupted")
		r.Seq, r.Trial, r.Item.ID = int64(i), i/20, fmt.Sprint("item ", i%20)
		r.Reply = &verbatim.Reply{Times: verbatim.Times{Start: first}}
		if i >= second {
			r.Reply.Times.Start = first.Add(2 * time.Hour)
		}
		if i == timeless {
			r.Reply.Times.Start = time.Time{}
		} else {
			day := r.Reply.Times.Start.Format(time.DateOnly)
			byDay[day] = append(byDay[day], r)
		}
		records = append(records, r)
	}
	run := verbatim.Run{Name: "r", Model: "m", Plan: verbatim.Plan{Trials: 3, Count: 60}}
	report := func(list ...[]verbatim.Record) Block {
		var pieces []iter.Seq2[verbatim.Record, error]
		for _, records := range list {
			pieces = append(pieces, recordtest.Each(records...))
		}
		r, err := Of(Options{}, Input{Run: run, Pieces: pieces})
		if err != nil {
			t.Fatal(err)
		}
		return r.Runs[0]
	}
	days := report(records[:cut], records[cut:]).Days
	if len(byDay) < 2 {
		if len(days) != 0 {
			t.Errorf("a single day has the lines %+v", days)
		}
		return
	}
	if len(days) != 2 {
		t.Fatalf("%d days, want 2", len(days))
	}
	for _, d := range days {
		got, want := d.Line.Exact, report(byDay[d.Day]).Total.Exact
		if got.N != want.N || got.Of != want.Of || got.Items != want.Items || *got.Low != *want.Low || *got.High != *want.High {
			t.Errorf("%s: %d of %d answers to %d items, %v to %v, want %d of %d to %d, %v to %v",
				d.Day, got.N, got.Of, got.Items, *got.Low, *got.High, want.N, want.Of, want.Items, *want.Low, *want.High)
		}
	}
}

// TestOneInterval: a report and a comparison print one interval for the exact share of a run,
// with trials and without, over all items and in each family and length.
func TestOneInterval(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	random := rand.New(rand.NewPCG(5, 6))
	for _, trials := range []int{1, 3, 5} {
		run := verbatim.Run{Name: "r", Model: "m", Plan: verbatim.Plan{Hash: "h", Trials: trials}}
		var records []verbatim.Record
		for _, family := range []string{"add", "copy"} {
			for _, length := range []int{8, 16} {
				run.Plan.Cells = append(run.Plan.Cells, verbatim.Cell{Family: family, N: 10, Length: verbatim.Lengths{Min: length, Max: length}})
				for item := range 10 {
					chance := random.Float64()
					for trial := range trials {
						o := verbatim.Wrong
						if random.Float64() < chance {
							o = verbatim.Pass
						}
						r := recordtest.Record(family, fmt.Sprint(length), o, "")
						r.Seq, r.Trial, r.Item.ID = int64(len(records)), trial, fmt.Sprintf("%s/%d/%d", family, length, item)
						records = append(records, r)
					}
				}
			}
		}
		run.Plan.Count = int64(len(records))
		in := Input{Run: run, Records: recordtest.Each(records...)}
		r, err := Of(Options{Metric: MetricExact}, in)
		if err != nil {
			t.Fatal(err)
		}
		side := verdict.Side{Run: run, Records: in.Records}
		other := side
		other.Run.Name = "s"
		c, err := verdict.Compare(side, other, verdict.Defaults("exact", MetricExact.Score))
		if err != nil {
			t.Fatal(err)
		}
		same := func(what string, rate Rate, s verdict.SideResult) {
			if *rate.Share != s.Share || *rate.Low != s.Range.Low || *rate.High != s.Range.High {
				t.Errorf("%d trials, %s: the report says %v (%v to %v), the comparison %v (%v to %v)", trials, what, *rate.Share, *rate.Low, *rate.High, s.Share, s.Range.Low, s.Range.High)
			}
		}
		if s := r.Runs[0].Total.Score; *s.Low != c.A.Range.Low || *s.High != c.A.Range.High {
			t.Errorf("%d trials: the mean score has the interval %v to %v, the exact share %v", trials, *s.Low, *s.High, c.A.Range)
		}
		b, err := verdict.Rank([]verdict.Side{side, other}, verdict.RankOptions{Metric: "exact", Score: MetricExact.Score})
		if err != nil {
			t.Fatal(err)
		}
		if p := b.Places[0]; math.Abs(p.Low-c.A.Range.Low) > 1e-9 || math.Abs(p.High-c.A.Range.High) > 1e-9 {
			t.Errorf("%d trials: the ranking has the interval %v, the comparison %v", trials, p.Range, c.A.Range)
		}
		same("all", r.Runs[0].Total.Exact, c.A.SideResult)
		for i, f := range r.Runs[0].Families {
			same(f.Name, f.Total.Exact, c.Families[i].A)
		}
		for i, l := range r.Runs[0].Lengths {
			same(l.Length, l.Exact, c.Lengths[i].A)
		}
		if len(c.Families) != 2 || len(c.Lengths) != 2 {
			t.Errorf("%d families and %d lengths compared", len(c.Families), len(c.Lengths))
		}
	}
}

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

func TestScoreColumns(t *testing.T) {
	r := recordtest.Record("sort", "4", verbatim.Wrapped, "wrapped")
	half := 0.5
	r.Grade.Score = &half
	r.Grade.Measures = map[string]float64{"similarity": 0.25, "sortbench": 0.125, "sortbench_standard": 0.75, "sortbench_published": 0.875}
	r.Item.Facts[verbatim.FactEdition] = "standard"
	value := func(m Metric) float64 {
		v := must(Of(Options{Metric: m}, Input{Records: recordtest.Each(r)}))(t).Runs[0].Total.Score.Value
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for m, want := range map[Metric]float64{"": 0.5, MetricScore: 0.5, MetricExact: 0, MetricExtracted: 1, MetricSimilarity: 0.25, MetricSortBench: 0.75} {
		if got := value(m); got != want {
			t.Errorf("on %q: %v, want %v", m, got, want)
		}
	}
	r.Item.Facts[verbatim.FactEdition] = "reference"
	if got := value(MetricSortBench); got != 0.125 {
		t.Errorf("on sortbench in the reference edition: %v", got)
	}
	r.Grade.Grader = "published"
	if got := value(MetricSortBench); got != 0.875 {
		t.Errorf("on sortbench of published scores: %v", got)
	}
	r.Grade.Measures, r.Grade.Score = nil, nil
	for _, m := range []Metric{MetricScore, MetricSimilarity, MetricSortBench} {
		if got := value(m); !math.IsNaN(got) {
			t.Errorf("on %q without a measure: %v", m, got)
		}
	}
	for _, m := range Metrics() {
		if got, err := ParseMetric(string(m)); err != nil || got != m {
			t.Errorf("ParseMetric(%q) = %q, %v", m, got, err)
		}
	}
	if _, err := ParseMetric("f1"); err == nil || !strings.Contains(err.Error(), "similarity") {
		t.Errorf("ParseMetric of an unknown name: %v", err)
	}
}
