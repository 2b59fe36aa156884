package earlystop

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// TestContinuedIsUninterrupted: the result of a test is a function of the records. It
// does not depend on the order of the answers, nor on when and how often the test is
// killed.
func TestContinuedIsUninterrupted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := randomWorld(rt)
		o := w.options()
		o.Scope = rapid.SampledFrom(Scopes()).Draw(rt, "scope")
		o.Items = rapid.SampledFrom([]int{0, 8, 40}).Draw(rt, "items")
		o.Jobs = rapid.IntRange(0, 40).Draw(rt, "jobs")
		o.MaxUnanswered = rapid.SampledFrom([]float64{0.02, 0.5}).Draw(rt, "bound")
		build := rapid.SampledFrom([]func(*Baseline, Options) (*Test, error){NewGate, NewROPETest}).Draw(rt, "kind")
		fresh := func() *Test {
			base, err := ReadBaseline(verbatim.Run{Name: "base", Plan: w.plan}, given(w.records), ownScore)
			if err != nil {
				rt.Skip(err)
			}
			test, err := build(base, o)
			if err != nil {
				rt.Skip(err)
			}
			return test
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 2))
		whole := fresh()
		if _, over := w.drive(t, whole, rng, 1<<30); !over {
			rt.Fatal("the test does not end")
		}
		want := tested(t, whole)

		var saved []verbatim.Record
		test := fresh()
		for range 60 {
			more, over := w.drive(t, test, rng, 1+rng.IntN(40))
			saved = append(saved, more...)
			if over {
				break
			}
			test = fresh()
			slices.SortFunc(saved, func(a, b verbatim.Record) int { return int(a.Seq - b.Seq) })
			saved = slices.CompactFunc(saved, func(a, b verbatim.Record) bool { return a.Seq == b.Seq })
			if err := test.Resume(given(saved)); err != nil {
				rt.Fatal(err)
			}
		}
		got := tested(t, test)
		got.Sent, want.Sent = 0, 0 // what was in flight at the end
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("continued:\n%+v\nuninterrupted:\n%+v", got, want)
		}
	})
}

// TestGateIsThatOfStats: the verdict is that of a gate over the differences in the
// order of the test, whatever the window and the order of arrival.
func TestGateIsThatOfStats(t *testing.T) {
	w := newWorld(4, 100)
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range w.now {
		if rng.Float64() < 0.15 {
			w.now[i] = 0
		}
	}
	got := w.finish(t, w.gate(t), 1)

	plain, err := sequential.NewGate(0.05, 0.05, 0)
	if err != nil {
		t.Fatal(err)
	}
	base := w.survey(t)
	n := 0
	for plain.Decision() == sequential.Undecided {
		var block []float64
		for _, it := range base.items[n : n+4] {
			block = append(block, w.now[it.seq]-1)
		}
		if _, err := plain.Add(block); err != nil {
			t.Fatal(err)
		}
		n += 4
	}
	if got.Word != verdict.Worse || got.Pairs != n || verdict.Word(plain.Decision()) != verdict.Worse || got.Scopes[0].At != n {
		t.Errorf("%s after %d items, want %s after %d", got.Word, got.Pairs, plain.Decision(), n)
	}
	if in := plain.Interval(); got.Scopes[0].Low != in.Low || got.Scopes[0].High != in.High {
		t.Errorf("interval %v, want %v", got.Scopes[0], in)
	}
	if n >= 400 {
		t.Error("nothing was saved")
	}
}

func TestUnchangedPasses(t *testing.T) {
	w := newWorld(4, 100)
	got := w.finish(t, w.gate(t), 1)
	if got.Word != verdict.Pass || got.Pairs != enoughTies(t, 4) || !got.Finished || got.FinalLook || got.ItemsNeeded != nil {
		t.Errorf("%+v", got)
	}
	if got.Sent < got.Pairs || got.Sent > got.Pairs+32 {
		t.Errorf("%d items were sent", got.Sent)
	}
}

// TestLastLook: the last look comes once, when the items of the baseline are used up,
// and not at a smaller number that was allowed.
func TestLastLook(t *testing.T) {
	w := newWorld(1, 90) // ties enough for a posterior, too few for bets
	got := w.finish(t, w.gate(t), 1)
	if got.Word != verdict.Pass || !got.FinalLook || got.Pairs != 90 || got.Scopes[0].Word != verdict.Pass || got.Scopes[0].At != 90 {
		t.Errorf("%+v", got)
	}
	got = w.finish(t, w.gate(t, func(o *Options) { o.Items = 89 }), 1)
	if got.Word != verdict.Inconclusive || got.FinalLook || !got.Finished || got.Pairs != 89 {
		t.Errorf("%+v", got)
	}
	if got.ItemsNeeded == nil || *got.ItemsNeeded != enoughTies(t, 1)-89 {
		t.Errorf("needed: %d, want %d", *got.ItemsNeeded, enoughTies(t, 1)-89)
	}
}

// TestBenchmark: a block with an unanswered pair is left out of the bets, its other
// pairs still count in the posterior, and there is a verdict when all items were sent.
func TestBenchmark(t *testing.T) {
	w := newWorld(4, 10)
	base := w.survey(t)
	w.now[base.items[5].seq] = -1
	lost := base.items[9].seq
	w.records[lost] = record(lost, w.records[lost].Item.Facts["length"], -1)
	for _, it := range base.items[36:] {
		w.now[it.seq] = 0
	}
	got := w.finish(t, w.gate(t, func(o *Options) { o.Scope, o.MaxUnanswered, o.Bound = Benchmark, 0.1, 0.02 }), 1)
	// Of ten blocks, one has no baseline and is not sent, and one has no answer.
	if got.Word != verdict.Worse || got.Pairs != 35 || got.Sent != 36 || got.Unanswered != 1 || got.Missing != 1 {
		t.Errorf("%+v", got)
	}
	if s := got.Scopes[0]; s.Low != s.High || s.Low != -4.0/32 {
		t.Errorf("the mean of the 32 that stay is %v to %v", s.Low, s.High)
	}
}

// In the scope of the benchmark the baseline's scores are known, and their variance
// costs no items.
func TestBenchmarkKnowsTheBaseline(t *testing.T) {
	w := newWorld(4, 300)
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range w.now {
		w.records[i] = record(int64(i), fmt.Sprint(i%4), float64(rng.IntN(10)/9))
		w.now[i] = float64(rng.IntN(10) / 9)
	}
	got := w.finish(t, w.gate(t, func(o *Options) { o.Scope = Benchmark }), 1)

	base := w.survey(t)
	var scores, d []float64
	for _, it := range base.items {
		scores, d = append(scores, it.score), append(d, w.now[it.seq]-it.score)
	}
	at := map[bool]int{}
	for _, known := range []bool{false, true} {
		g, err := sequential.NewGate(0.05, 0.05, len(d))
		if err != nil {
			t.Fatal(err)
		}
		if known {
			if err := g.SetBaseline(scores); err != nil {
				t.Fatal(err)
			}
		}
		for g.Decision() == sequential.Undecided {
			if _, err := g.Add(d[g.N() : g.N()+base.block]); err != nil {
				t.Fatal(err)
			}
		}
		at[known] = g.N()
		if g.Decision() != sequential.Pass || got.Word != verdict.Pass {
			t.Errorf("%q, %q", g.Decision(), got.Word)
		}
	}
	if got.Pairs != at[true] || at[true] >= at[false] {
		t.Errorf("passed after %d items; with the baseline known %d are enough, without %d", got.Pairs, at[true], at[false])
	}

	w.records[17] = record(17, "1", 1.5)
	var r *verdict.Refusal
	o := w.options()
	o.Scope = Benchmark
	if _, err := NewGate(w.survey(t), o); !errors.As(err, &r) || !strings.Contains(r.Why, "copy/17") {
		t.Errorf("a score of 1.5: %v", err)
	}
}

func TestUntilVerdict(t *testing.T) {
	for _, c := range []struct {
		scope Scope
		score float64
		want  verdict.Word
	}{{Endpoint, 0, verdict.Worse}, {Benchmark, 0, verdict.Worse}, {Endpoint, 1, verdict.Equivalent}, {Benchmark, 1, verdict.Equivalent}} {
		w := newWorld(2, 300)
		for i := range w.now {
			w.now[i] = c.score
		}
		o := w.options()
		o.Scope, o.Bound = c.scope, 0.02
		test, err := NewROPETest(w.survey(t), o)
		if err != nil {
			t.Fatal(err)
		}
		got := w.finish(t, test, 1)
		if got.Word != c.want || len(got.Scopes) != 2 || got.Scopes[0].Scope != c.scope || got.Scopes[0].At != got.Pairs {
			t.Errorf("%s: %+v", c.scope, got)
		}
	}
}

func TestStanding(t *testing.T) {
	w := newWorld(1, 50)
	test := w.gate(t)
	if s := test.Progress(); s.Pairs != 0 || s.Allowed != 50 || s.Difference != nil {
		t.Errorf("%+v", s)
	}
	w.now = make([]float64, 50)
	w.finish(t, test, 1)
	if s := test.Progress(); s.Word != verdict.Worse || *s.Difference != -1 || s.Pairs == 0 {
		t.Errorf("%+v", s)
	}
}

// TestEquivalentInterval: the interval of an early "equivalent" lies within the ROPE,
// because equivalence needs the error rate on each side only once.
func TestEquivalentInterval(t *testing.T) {
	w := newWorld(1, 600)
	for seq := range w.now {
		if seq%40 == 0 { // some of both directions
			w.now[seq] = 0
		}
	}
	o := w.options()
	o.Bound = 0.1
	test, err := NewROPETest(w.survey(t), o)
	if err != nil {
		t.Fatal(err)
	}
	got := w.finish(t, test, 1)
	in := got.Deciding
	if got.Word != verdict.Equivalent || got.FinalLook || in.Low < -0.1 || in.High > 0.1 || math.Abs(in.Confidence-0.9) > 1e-12 {
		t.Errorf("%s, final look %v, interval %+v", got.Word, got.FinalLook, in)
	}
}
