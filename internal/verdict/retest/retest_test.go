package retest

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

func askedTwice(t *testing.T, p verbatim.Plan, outcome func(item, trial int) verbatim.Outcome) *Result {
	t.Helper()
	r, err := Analyze(verbatim.Run{Plan: p}, verdicttest.EachRecord(verdicttest.RepeatRecords(p, outcome)), verdicttest.ExactOptions())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// resamples are those of ExactOptions.
const resamples = 200

var eightLengths = []int{2, 4, 8, 16, 32, 64, 128, 256}

// An endpoint that answers at random, alike in both passes, raises few false alarms,
// and passes as often as it should.
func TestAskedTwiceUnchanged(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	luck := rand.New(rand.NewPCG(4, 4))
	r := askedTwice(t, verdicttest.RepeatPlan(eightLengths, 25, 2), func(int, int) verbatim.Outcome { return verdicttest.OutcomeOf(luck.Float64() < 0.9) })
	if r.Items != 200 || r.Unanswered != 0 || r.MaxAnswers != 2 {
		t.Errorf("%d items, %d without two answers, %d at most", r.Items, r.Unanswered, r.MaxAnswers)
	}
	// 2 × 0.9 × 0.1 of the items flip, and within an item scores vary by 0.9 × 0.1.
	if !(r.Flips.Low < 0.18 && 0.18 < r.Flips.High) || math.Abs(r.Within-0.3) > 0.06 || r.Drift.Seen {
		t.Errorf("flips %+v, within %v, drift %+v", r.Flips, r.Within, r.Drift)
	}
	var sizes []int
	for _, s := range r.Sizes {
		sizes = append(sizes, s.Items)
		if s.Compare.Worse.Low > 0.05 || s.Compare.Better.Low > 0.05 || s.Check.Worse.Low > 0.025 {
			t.Errorf("%d items: %+v", s.Items, s)
		}
		if n := s.Compare.Worse.N + s.Compare.Better.N + s.Compare.Equivalent.N + s.Compare.Inconclusive.N; n != resamples {
			t.Errorf("%d items: compare says something of %d resamples", s.Items, n)
		}
		if n := s.Check.Worse.N + s.Check.Pass.N + s.Check.Undecided.N; n != resamples || s.Check.MeanItems > float64(s.Items) {
			t.Errorf("%d items: check says something of %d resamples, after %v", s.Items, n, s.Check.MeanItems)
		}
	}
	if !reflect.DeepEqual(sizes, []int{100, 200, 400, 1440}) {
		t.Errorf("sizes %v", sizes)
	}
	if len(r.RequiredItems) != 6 || len(r.RequiredMargins) != 2 {
		t.Fatalf("%d needs, %d margins", len(r.RequiredItems), len(r.RequiredMargins))
	}
	for i, n := range r.RequiredItems {
		if n.Passed != nil && math.Abs(n.Passed.Share-n.Share) > 4*math.Sqrt(n.Share*(1-n.Share)/resamples)+0.02 {
			t.Errorf("%+v passes %.3f", n, n.Passed.Share)
		}
		if i > 1 && n.Items >= r.RequiredItems[i-2].Items {
			t.Errorf("margin %v needs %d items, a smaller one %d", n.Margin, n.Items, r.RequiredItems[i-2].Items)
		}
	}
	if e := r.RequiredMargins; !(0.05 < e[0].Margin && e[0].Margin < e[1].Margin && e[1].Margin < 0.2) {
		t.Errorf("margins %+v", e)
	}
}

func TestAskedTwiceAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	r := askedTwice(t, verdicttest.RepeatPlan(eightLengths, 20, 2), func(item, _ int) verbatim.Outcome { return verdicttest.OutcomeOf(item%3 > 0) })
	if r.Flips.N != 0 || r.Flips.High == 0 || r.Within != 0 || r.ICC == nil || *r.ICC != 1 || r.Drift.Seen || r.Drift.Value != 0 {
		t.Errorf("%+v", r)
	}
	for _, s := range r.Sizes {
		if s.Items >= 160 && s.Check.Pass.Share != 1 || s.Compare.Worse.N+s.Compare.Better.N > 0 {
			t.Errorf("%+v", s)
		}
	}
	same := askedTwice(t, verdicttest.RepeatPlan(eightLengths, 1, 2), func(int, int) verbatim.Outcome { return verbatim.Pass })
	if same.ICC != nil || same.Within != 0 {
		t.Errorf("nothing varies: icc %v, within %v", same.ICC, same.Within)
	}
}

// The second pass is worse: that is a drift, which the resamples do not have.
func TestAskedTwiceDrift(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	luck := rand.New(rand.NewPCG(5, 5))
	r := askedTwice(t, verdicttest.RepeatPlan(eightLengths, 25, 2), func(_, trial int) verbatim.Outcome {
		return verdicttest.OutcomeOf(luck.Float64() < []float64{0.95, 0.7}[trial])
	})
	if !r.Drift.Seen || r.Drift.High >= 0 || r.Drift.Value > -0.15 {
		t.Errorf("drift %+v", r.Drift)
	}
	if s := r.Sizes[len(r.Sizes)-1]; s.Check.Worse.Low > 0.025 || s.Compare.Worse.Low > 0.05 {
		t.Errorf("the passes are not exchanged: %+v", s)
	}
}

func TestAskedTwiceUnanswered(t *testing.T) {
	p := verdicttest.RepeatPlan([]int{8, 16}, 10, 3)
	r := askedTwice(t, p, func(item, trial int) verbatim.Outcome {
		if item < 4 && trial > item%2 || item == 5 && trial == 1 {
			return verbatim.Errored
		}
		return verdicttest.OutcomeOf(item%2 == 0)
	})
	// Items 0 and 2 have one answer, 1, 3 and 5 two, the others three.
	if r.Items != 18 || r.Unanswered != 2 || r.MaxAnswers != 3 {
		t.Errorf("%d items, %d without two answers, %d at most", r.Items, r.Unanswered, r.MaxAnswers)
	}
	_, err := Analyze(verbatim.Run{Plan: p}, verdicttest.EachRecord(verdicttest.RepeatRecords(p, func(_, trial int) verbatim.Outcome {
		if trial > 0 {
			return verbatim.Skipped
		}
		return verbatim.Pass
	})), verdicttest.ExactOptions())
	if !errors.Is(err, ErrNoRepeats) {
		t.Errorf("of one pass: %v", err)
	}
}

// What is drawn follows from the seed, on any number of processors.
func TestAskedTwiceRepeats(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	p := verdicttest.RepeatPlan([]int{8, 16, 32}, 15, 2)
	records := verdicttest.RepeatRecords(p, func(item, trial int) verbatim.Outcome { return verdicttest.OutcomeOf((item*7+trial*5)%11 > 2) })
	o := verdicttest.ExactOptions()
	o.Resamples = 30
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var results []*Result
	for _, processors := range []int{2, 1, 3} {
		runtime.GOMAXPROCS(processors)
		r, err := Analyze(verbatim.Run{Plan: p}, verdicttest.EachRecord(records), o)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if !reflect.DeepEqual(results[0], results[1]) || !reflect.DeepEqual(results[0], results[2]) {
		t.Error("the same records have different results on other numbers of processors")
	}
	o.Seed = 2
	other, err := Analyze(verbatim.Run{Plan: p}, verdicttest.EachRecord(records), o)
	if err != nil || reflect.DeepEqual(other.Sizes, results[0].Sizes) {
		t.Errorf("another seed draws the same resamples (%v)", err)
	}
}

// A resample holds the cells in the proportions of the design, whatever its size,
// and differences of both signs.
func TestResample(t *testing.T) {
	plan := verdicttest.RepeatPlan([]int{2, 4, 8, 16}, 6, 2)
	var twice Result
	o := verdicttest.ExactOptions()
	g := verdict.NewGrid(&plan)
	items, err := twice.collect(verdicttest.EachRecord(verdicttest.RepeatRecords(plan, func(item, trial int) verbatim.Outcome { return verdicttest.OutcomeOf(trial == 0) })), &o, g)
	if err != nil {
		t.Fatal(err)
	}
	r := newResampler(items, g, &o, 0.05)
	for _, n := range []int{1, 3, 24, 26, 400} {
		counts, signs := map[int]int{}, map[float64]int{}
		sample := r.draw(rand.New(rand.NewPCG(1, uint64(n))), n, nil)
		for _, x := range sample {
			counts[x.cell]++
			signs[x.value]++
		}
		if len(sample) != n {
			t.Errorf("a resample of %d has %d items", n, len(sample))
		}
		for cell := range 4 {
			if k := counts[cell]; k < n/4 || k > n/4+n%4 {
				t.Errorf("a resample of %d has %d items of cell %d", n, k, cell)
			}
		}
		if n == 400 && (signs[1] < 160 || signs[-1] < 160 || signs[1]+signs[-1] != n) {
			t.Errorf("signs %v", signs)
		}
	}
}
