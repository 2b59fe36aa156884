package poweranalysis

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/stats"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

func reading(name string, p verbatim.Plan, outcome func(item, trial int) verbatim.Outcome) verdict.Side {
	return verdict.Side{Run: verbatim.Run{Name: name, Plan: p}, Records: verdicttest.EachRecord(verdicttest.RepeatRecords(p, outcome))}
}

func spread(t *testing.T, s *Variability, err error) *Variability {
	t.Helper()
	if err != nil || s == nil {
		t.Fatalf("%+v, %v", s, err)
	}
	return s
}

func TestPairSpread(t *testing.T) {
	p, o := verdicttest.RepeatPlan([]int{8, 16}, 20, 1), verdicttest.ExactOptions()
	a := reading("a", p, func(item, _ int) verbatim.Outcome { return verdicttest.OutcomeOf(item%4 > 0) })
	b := reading("b", p, func(item, _ int) verbatim.Outcome { return verdicttest.OutcomeOf(item%4 > 1) })
	// In both cells 5 of 20 differences are -1: within a cell they vary by
	// √(20/19 × 0.25 × 0.75).
	s, err := PairVariability(a, b, o)
	if got, want := spread(t, s, err).SD, math.Sqrt(20./19*0.25*0.75); math.Abs(got-want) > 1e-12 || s.Items != 40 || s.Basis != FromPairs || !reflect.DeepEqual(s.Runs, []string{"a", "b"}) {
		t.Errorf("%+v, want sd %v", s, want)
	}
	// Differences between the cells are left out.
	far := reading("far", p, func(item, _ int) verbatim.Outcome { return verdicttest.OutcomeOf(item%4 > 0 && item < 20) })
	s, err = PairVariability(a, far, o)
	want := math.Sqrt((0 + 20./19*0.25*0.75) / 2)
	if got := spread(t, s, err).SD; math.Abs(got-want) > 1e-12 {
		t.Errorf("sd %v, want %v", got, want)
	}
	// If no item differs, the spread is that of one item that does.
	s, err = PairVariability(a, a, o)
	if got := spread(t, s, err).SD; math.Abs(got-math.Sqrt(1./40)) > 1e-12 {
		t.Errorf("sd %v of runs that agree", got)
	}
	few := verdicttest.RepeatPlan([]int{8}, 19, 1)
	if s, err := PairVariability(reading("a", few, func(int, int) verbatim.Outcome { return verbatim.Pass }), a, o); s != nil || err != nil {
		t.Errorf("of 19 items: %+v, %v", s, err)
	}
	lost := reading("lost", p, func(item, _ int) verbatim.Outcome {
		if item < 10 {
			return verbatim.Errored
		}
		return verbatim.Pass
	})
	s, err = PairVariability(a, lost, o)
	if spread(t, s, err).Items != 30 {
		t.Errorf("%d pairs, and 10 of 40 items have no answer", s.Items)
	}
}

func TestRepeatSpread(t *testing.T) {
	p := verdicttest.RepeatPlan([]int{8, 16}, 20, 2)
	s, err := RepeatVariability(reading("a", p, func(item, trial int) verbatim.Outcome { return verdicttest.OutcomeOf(item%5 > 0 || trial > 0) }), verdicttest.ExactOptions())
	// 8 of 40 items flip; a difference varies by 2 × 8/40 × 1/2.
	if got, want := spread(t, s, err).SD, math.Sqrt(0.2); math.Abs(got-want) > 1e-12 || s.Items != 40 || s.Basis != FromRepeats {
		t.Errorf("%+v, want sd %v", s, want)
	}
	once := verdicttest.RepeatPlan([]int{8, 16}, 20, 1)
	if s, err := RepeatVariability(reading("a", once, func(int, int) verbatim.Outcome { return verbatim.Pass }), verdicttest.ExactOptions()); s != nil || err != nil {
		t.Errorf("of one trial: %+v, %v", s, err)
	}
}

func TestRateSpread(t *testing.T) {
	p := verdicttest.RepeatPlan([]int{8, 16}, 20, 1)
	other := p
	other.Hash = "other"
	r := func() verdict.Side {
		return reading("a", p, func(item, _ int) verbatim.Outcome { return verdicttest.OutcomeOf(item < 30) })
	}
	share := 30.5 / 41
	want := math.Sqrt(2 * share * (1 - share))
	for _, plan := range []verbatim.Plan{p, other} {
		s, err := RateVariability(r(), plan, verdicttest.ExactOptions())
		if got := spread(t, s, err).SD; math.Abs(got-want) > 1e-12 || s.Items != 40 || s.Basis != FromRates {
			t.Errorf("%+v, want sd %v", s, want)
		}
	}
	other.Cells = []verbatim.Cell{{Family: "copy", Length: verbatim.Lengths{Min: 8, Max: 8}, N: 9}}
	if s, err := RateVariability(r(), other, verdicttest.ExactOptions()); s != nil || err != nil {
		t.Errorf("of another family: %+v, %v", s, err)
	}
}

func TestPowerOf(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it computes for seconds, and nothing in it runs concurrently")
	}
	o := verdicttest.ExactOptions()
	p, err := Analyze(300, AssumedVariability(), AssumedVariability(), o)
	if err != nil {
		t.Fatal(err)
	}
	// (1.64485 + 0.84162) × √0.2/√300 + 0.02, (1.95996 + 0.84162) × √0.2/√300 and ((1.64485 + 1.28155) × √0.2/0.02)².
	if math.Abs(p.Compare.Detectable-0.0842005) > 1e-6 || math.Abs(p.Compare.ExcludesZero-0.0723367) > 1e-6 || p.Compare.Equivalent == nil || *p.Compare.Equivalent != 4282 {
		t.Errorf("%+v", p.Compare)
	}
	again, err := Analyze(300, AssumedVariability(), AssumedVariability(), o)
	if err != nil || !reflect.DeepEqual(p, again) {
		t.Errorf("another time it is %+v (%v)", again, err)
	}
	more, err := Analyze(1200, AssumedVariability(), AssumedVariability(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*Result{p, more} {
		c := p.Check
		if c.Unchanged.Worse > 0.05 || c.Worse.Passed > 0.02 || c.Worse.MeanItems > float64(p.Items) || c.Unchanged.MeanItems < 1 {
			t.Errorf("over %d items: %+v", p.Items, c)
		}
		for _, k := range []checkRates{c.Unchanged, c.Worse} {
			if math.Abs(k.Passed+k.Worse+k.Undecided-1) > 1e-12 || k.Simulated < minRuns {
				t.Errorf("over %d items: %+v", p.Items, k)
			}
		}
	}
	// The formula for an unchanged endpoint and the simulation agree.
	if n, err := stats.ItemsToPass(math.Sqrt(0.2), 0.05, 0.05, 0.95); err != nil || n < 1000 || n > 1200 || more.Check.Unchanged.Passed < 0.93 {
		t.Errorf("%d items pass in 95 %% (%v), 1,200 in %.2f", n, err, more.Check.Unchanged.Passed)
	}
	if p.Check.Worse.Worse >= more.Check.Worse.Worse || p.Check.Unchanged.Passed >= more.Check.Unchanged.Passed {
		t.Errorf("four times the items tell less: %+v, %+v", p.Check, more.Check)
	}
	if _, err := Analyze(0, AssumedVariability(), AssumedVariability(), o); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("of no items: %v", err)
	}
	if one, err := Analyze(1, AssumedVariability(), AssumedVariability(), o); err != nil || one.Check.Unchanged.Undecided != 1 {
		t.Errorf("of one item: %+v, %v", one, err)
	}
}

// The differences that checks are simulated with vary as the Spread says, around 0.
func TestSpreadDraws(t *testing.T) {
	seen := Variability{SD: math.Sqrt(0.5), differences: []float64{1, 0, 1, 0}}
	for _, s := range []Variability{AssumedVariability(), seen} {
		luck := rand.New(rand.NewPCG(1, 1))
		sum, squares := 0.0, 0.0
		const n = 20_000
		for range n {
			d := s.draw(luck)
			sum, squares = sum+d, squares+d*d
		}
		if math.Abs(sum/n) > 4*s.SD/math.Sqrt(n) || math.Abs(squares/n-s.SD*s.SD) > 0.015 {
			t.Errorf("mean %v, variance %v, want 0 and %v", sum/n, squares/n, s.SD*s.SD)
		}
	}
}

// TestComparePower simulates comparisons at the stated differences: a verdict has the
// stated power at Detectable, and much less at ExcludesZero. With (z.975 + z.80)·sd/√n,
// the figure of a difference from 0, a verdict came in 77 % of comparisons at 84 items, and
// in 2 % at 5,000.
func TestComparePower(t *testing.T) {
	o := verdicttest.ExactOptions()
	for _, c := range []struct {
		items      int64
		detectable float64 // rope + (z.95 + z.80)·sd/√n; 0 if the formula is too optimistic
		zero       float64 // power of the verdict at ExcludesZero
	}{{20, 0, 0.52}, {84, 0, 0.77}, {400, 0.0756, 0.60}, {1440, 0.0493, 0.29}, {5000, 0.0357, 0.04}} {
		if c.items > 2000 && !exhaustive.All() {
			continue // it computes for long; scripts/check has it
		}
		p, err := comparePower(c.items, AssumedVariability(), &o)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d items: detectable %.4f %+v, excludes zero %.4f %+v", c.items, p.Detectable, p.Verdict, p.ExcludesZero, p.Zero)
		if c.detectable > 0 && math.Abs(p.Detectable-c.detectable) > 1e-4 {
			t.Errorf("%d items: detectable %v, want %v", c.items, p.Detectable, c.detectable)
		}
		if p.Verdict.Verdict < 0.77 || p.Verdict.Verdict > 0.9 {
			t.Errorf("%d items: power %+v at %v", c.items, p.Verdict, p.Detectable)
		}
		if p.Zero == nil || math.Abs(p.Zero.Verdict-c.zero) > 0.12 || p.Zero.Verdict > p.Zero.ExcludesZero+0.1 {
			t.Errorf("%d items: %+v at %v, want a verdict in %v", c.items, p.Zero, p.ExcludesZero, c.zero)
		}
	}
	seen := Variability{SD: 0.3, differences: make([]float64, 100)}
	for i := range seen.differences {
		seen.differences[i] = 0.6 * math.Sin(float64(i))
	}
	p, err := comparePower(400, seen, &o)
	if err != nil || p.Verdict.Verdict < 0.72 || p.Verdict.Verdict > 0.9 {
		t.Errorf("differences of many sizes: %+v (%v)", p, err)
	}
}
