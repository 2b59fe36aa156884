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

// TestLastLookAtTies: an endpoint on the margin that fails outright shows no failure among n items
// with probability (1 - margin)^n. The last look passes it only where that is at most 2.5 %.
func TestLastLookAtTies(t *testing.T) {
	for _, c := range []struct {
		items  int
		margin float64
		want   verdict.Word
	}{{20, 0.1, verdict.Inconclusive}, {35, 0.1, verdict.Inconclusive}, {36, 0.1, verdict.Pass}, {45, 0.05, verdict.Inconclusive}, {72, 0.05, verdict.Pass}} {
		w := newWorld(1, c.items)
		got := w.finish(t, w.gate(t, func(o *Options) { o.Bound = c.margin }), 1)
		if got.Word != c.want || got.Deciding.Kind != Final || c.want == verdict.Pass && got.Deciding.Low < -c.margin {
			t.Errorf("%d items without a difference, margin %v: %s, interval %+v", c.items, c.margin, got.Word, got.Deciding)
		}
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

// TestOutages: a verdict waits until few enough answers are missing. Where that is
// impossible, no verdict is given and nothing more is sent.
func TestOutages(t *testing.T) {
	w := newWorld(1, 400)
	first := w.survey(t).items[0].seq
	w.now[first] = -1
	for _, it := range w.survey(t).items[1:] {
		w.now[it.seq] = 0 // worse at once
	}
	got := w.finish(t, w.gate(t), 1)
	if got.Word != verdict.Worse || got.Unanswered != 1 || got.Pairs != 49 { // 1 of 50 is 2 %
		t.Errorf("%s with %d missing of %d", got.Word, got.Unanswered, got.Pairs+got.Unanswered)
	}
	for i := range w.now {
		w.now[i] = -1
	}
	got = w.finish(t, w.gate(t), 1)
	if got.Word != verdict.Withheld || got.Reason != ReasonUnanswered || got.Unanswered != 9 || got.Difference != nil {
		t.Errorf("%s (%s) after %d outages of 400", got.Word, got.Reason, got.Unanswered)
	}
	if got.Sent > 9+32 {
		t.Errorf("%d were sent", got.Sent)
	}
}

// TestResumeAsksAgain: the next call sends the items without an answer again, and no
// others.
func TestResumeAsksAgain(t *testing.T) {
	w := newWorld(1, 60)
	first := w.survey(t).items[0].seq
	w.now[first] = -1
	for _, it := range w.survey(t).items[1:] {
		w.now[it.seq] = 0
	}
	saved, _ := w.drive(t, w.gate(t), rand.New(rand.NewPCG(1, 1)), 1<<30)
	w.now[first] = 0
	test := w.gate(t)
	if err := test.Resume(given(saved)); err != nil {
		t.Fatal(err)
	}
	requests, err := test.Next(nil)
	if err != nil || len(requests) == 0 || requests[0].Seq != first {
		t.Fatalf("%v, %v: want position %d", requests, err, first)
	}
	for _, r := range requests[1:] {
		if slices.ContainsFunc(saved, func(k verbatim.Record) bool { return k.Seq == r.Seq }) {
			t.Errorf("position %d is sent again", r.Seq)
		}
	}
	if _, err := test.Next([]verbatim.Record{w.answer(requests[0])}); err != nil {
		t.Fatal(err)
	}
	if got := tested(t, test); got.Word != verdict.Worse || got.Unanswered != 0 {
		t.Errorf("%+v", got)
	}
}

// TestLimits: no verdict if the token limit truncates one side more often.
func TestLimits(t *testing.T) {
	w := newWorld(1, 200)
	for i := range 5 {
		w.limited[w.survey(t).items[10*i].seq] = true
	}
	got := w.finish(t, w.gate(t), 1)
	if got.Word != verdict.Withheld || got.Reason != ReasonTruncated || got.Pairs != 41 {
		t.Errorf("%s (%s) after %d", got.Word, got.Reason, got.Pairs)
	}
	got = w.finish(t, w.gate(t, func(o *Options) { o.MaxTruncatedGap = 0.2 }), 1)
	if got.Reason != "" || got.Limits[1] == 0 || got.Limits[0] != 0 {
		t.Errorf("%s (%s), %v", got.Word, got.Reason, got.Limits)
	}
}

// TestLimitsOfBoth: a token limit that stops both sides alike is no reason to withhold
// a verdict.
func TestLimitsOfBoth(t *testing.T) {
	w := newWorld(1, 200)
	for i := range 20 {
		seq := w.survey(t).items[5*i].seq
		w.limited[seq], w.now[seq] = true, 0
		rec := record(seq, "0", 0)
		rec.Outcome, rec.Grade.Outcome, rec.Grade.Detail = verbatim.Truncated, verbatim.Truncated, "prefix"
		w.records[seq] = rec
	}
	got := w.finish(t, w.gate(t), 1)
	if got.Word != verdict.Pass || got.Limits[0] != got.Limits[1] || got.Limits[0] == 0 {
		t.Errorf("%s (%s), %v", got.Word, got.Reason, got.Limits)
	}
}

// TestSkipped: a position that was never sent is no outage, and the positions after it
// are not used.
func TestSkipped(t *testing.T) {
	w := newWorld(1, 60)
	test := w.gate(t, func(o *Options) { o.Jobs = 1 })
	requests, err := test.Next(nil)
	if err != nil {
		t.Fatal(err)
	}
	skipped := record(requests[0].Seq, "0", -1)
	skipped.Outcome = verbatim.Skipped
	if _, err := test.Next([]verbatim.Record{skipped, w.answer(requests[1])}); err != nil {
		t.Fatal(err)
	}
	if got := tested(t, test); got.Pairs != 0 || got.Unanswered != 0 || got.Finished || got.Word != verdict.Inconclusive {
		t.Errorf("%+v", got)
	}
	skipped.Failure = &verbatim.Failure{Class: verbatim.Shortened} // it is never sent
	if _, err := test.Next([]verbatim.Record{skipped}); err != nil {
		t.Fatal(err)
	}
	if got := tested(t, test); got.Pairs != 1 || got.Unanswered != 1 {
		t.Errorf("a prompt that the endpoint shortens: %+v", got)
	}
}

// TestTogether: a model whose test is undecided at its part of alpha is worse if another model is worse
// too, as Holm's method has it, and not if the other one is undecided or passes.
func TestTogether(t *testing.T) {
	const alpha = 0.05
	half := func(o *Options) { o.Alpha, o.Items = alpha/2, 200 } // without a last look
	drive := func(lost int) *Test {
		w := newWorld(1, 240)
		for seq := range lost {
			w.now[seq*240/max(lost, 1)] = 0
		}
		test := w.gate(t, half)
		w.drive(t, test, rand.New(rand.NewPCG(1, 1)), 1<<30)
		return test
	}
	// The number of lost answers with a p-value between the two levels of Holm's method.
	lost := 12
	for ; lost < 120; lost++ {
		if p := drive(lost).rules[0].rule.(*sequential.Gate).PValues(); p[1] > alpha/4 && p[1] <= alpha/2 {
			break
		}
	}
	for _, c := range []struct {
		other int // answers that the other model lost
		word  verdict.Word
		want  verdict.Word
	}{{120, verdict.Worse, verdict.Worse}, {lost, verdict.Inconclusive, verdict.Inconclusive}, {0, verdict.Pass, verdict.Inconclusive}} {
		tests := []*Test{drive(lost), drive(c.other)}
		if a, b := tests[0].word(), tests[1].word(); a != verdict.Inconclusive || b != c.word {
			t.Fatalf("%d and %d lost: alone they are %s and %s", lost, c.other, a, b)
		}
		if err := Together(tests, alpha); err != nil {
			t.Fatal(err)
		}
		got := tested(t, tests[0])
		if got.Word != c.want || tests[1].word() != c.word || (got.Scopes[0].At > 0) != got.Word.Settled() {
			t.Errorf("with a model that is %s: %+v, want %s; the other is %s", c.word, got, c.want, tests[1].word())
		}
		if in := got.Deciding; got.Word == verdict.Worse && in.High > -got.Bound {
			t.Errorf("worse, and its interval is %+v", in)
		}
	}
}
