package report

import (
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/stats"
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
