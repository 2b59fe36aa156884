package verdict

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/stats"
)

// A world has the records of a baseline, and what a model would answer now.
type world struct {
	plan    verbatim.Plan
	records []verbatim.Record // of the baseline
	now     []float64         // score of each place; below 0: no answer, however often it is asked
	limited map[int64]bool    // places that the token limit stops now, undecided
}

// newWorld makes items of some lengths, all right in the baseline.
func newWorld(lengths, each int) *world {
	w := &world{plan: verbatim.Plan{Hash: "abc", Trials: 1}, limited: map[int64]bool{}}
	for seq := range lengths * each {
		w.records = append(w.records, record(int64(seq), fmt.Sprint(seq%lengths), 1))
		w.now = append(w.now, 1)
	}
	return w
}

// record is one with an answer of that score, or without where it is below 0.
func record(seq int64, length string, score float64) verbatim.Record {
	rec := verbatim.Record{
		Seq:     seq,
		Item:    &verbatim.Item{ID: fmt.Sprintf("copy/%d", seq), Facts: map[string]string{"family": "copy", "length": length}},
		Prompt:  verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: fmt.Sprint(seq)}}}},
		Outcome: verbatim.Errored,
	}
	if score >= 0 {
		rec.Outcome = verbatim.Wrong
		rec.Grade = &verbatim.Grade{Outcome: verbatim.Wrong, Label: "other", Strict: score == 1, Score: &score, Grader: "text/1"}
	}
	if score == 1 {
		rec.Outcome, rec.Grade.Outcome, rec.Grade.Label = verbatim.Pass, verbatim.Pass, "pass"
	}
	return rec
}

func given(records []verbatim.Record) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func ownScore(_ *verbatim.Item, g *verbatim.Grade) (float64, bool) {
	if g.Score == nil {
		return 0, false
	}
	return *g.Score, true
}

func (w *world) survey(t testing.TB) *Baseline {
	t.Helper()
	b, err := Survey(verbatim.Run{Name: "base", Plan: w.plan}, given(w.records), ownScore)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// options are those of most tests.
func (w *world) options() TestOptions {
	return TestOptions{
		Scope: Endpoint, Bound: 0.05, Alpha: 0.05, MaxUnanswered: 0.02, MaxLimitGap: 0.02, Score: ownScore,
		Record: func(seq int64) (verbatim.Record, error) {
			if r := w.records[seq]; r.Seq == seq && r.Trial == 0 {
				return r, nil
			}
			return verbatim.Record{}, fmt.Errorf("no place %d", seq)
		},
		MaxTokens: func(*verbatim.Record) int { return 64 },
	}
}

func (w *world) gate(t testing.TB, change ...func(*TestOptions)) *Test {
	t.Helper()
	o := w.options()
	for _, c := range change {
		c(&o)
	}
	test, err := NewGate(w.survey(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return test
}

// answer is what comes of a request.
func (w *world) answer(r verbatim.Request) verbatim.Record {
	rec := record(r.Seq, r.Item.Facts["length"], w.now[r.Seq])
	if w.limited[r.Seq] && rec.Grade != nil {
		rec.Outcome, rec.Grade.Outcome, rec.Grade.Detail, rec.Grade.Strict = verbatim.Limit, verbatim.Limit, "prefix", false
	}
	return rec
}

// drive asks until the test has enough, or so many answers are kept, which it
// returns: then everything that is in flight is lost. Answers come in any order.
func (w *world) drive(t testing.TB, test *Test, rng *rand.Rand, most int) (kept []verbatim.Record, over bool) {
	t.Helper()
	var flying []verbatim.Request
	var done []verbatim.Record
	asked := map[int64]bool{}
	for len(kept) < most {
		requests, err := test.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		if requests == nil {
			for _, r := range flying { // they are kept, though nobody waits for them
				kept = append(kept, w.answer(r))
			}
			return kept, true
		}
		for _, r := range requests {
			if asked[r.Seq] {
				t.Fatalf("place %d is asked twice", r.Seq)
			}
			asked[r.Seq] = true
		}
		if flying = append(flying, requests...); len(flying) == 0 {
			t.Fatal("it waits for nothing")
		}
		if len(flying) > test.window() {
			t.Fatalf("%d requests are in flight", len(flying))
		}
		done = done[:0]
		for range 1 + rng.IntN(len(flying)) {
			i := rng.IntN(len(flying))
			rec := w.answer(flying[i])
			flying = slices.Delete(flying, i, i+1)
			done, kept = append(done, rec), append(kept, rec)
		}
		slices.SortFunc(done, func(a, b verbatim.Record) int { return int(a.Seq - b.Seq) })
	}
	return kept, false
}

func (w *world) finish(t testing.TB, test *Test, seed uint64) *Tested {
	t.Helper()
	if _, over := w.drive(t, test, rand.New(rand.NewPCG(seed, 1)), 1<<30); !over {
		t.Fatal("it does not end")
	}
	return tested(t, test)
}

func tested(t testing.TB, test *Test) *Tested {
	t.Helper()
	out, err := test.Tested()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestContinuedIsUninterrupted: what a test says is a function of the records. It
// does not matter in which order answers come, nor when and how often it is killed.
func TestContinuedIsUninterrupted(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := randomWorld(rt)
		o := w.options()
		o.Scope = rapid.SampledFrom(Scopes()).Draw(rt, "scope")
		o.Items = rapid.SampledFrom([]int{0, 8, 40}).Draw(rt, "items")
		o.Jobs = rapid.IntRange(0, 40).Draw(rt, "jobs")
		o.MaxUnanswered = rapid.SampledFrom([]float64{0.02, 0.5}).Draw(rt, "bound")
		build := rapid.SampledFrom([]func(*Baseline, TestOptions) (*Test, error){NewGate, NewUntilVerdict}).Draw(rt, "kind")
		fresh := func() *Test {
			base, err := Survey(verbatim.Run{Name: "base", Plan: w.plan}, given(w.records), ownScore)
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
			rt.Fatal("it does not end")
		}
		want := tested(t, whole)

		var kept []verbatim.Record
		test := fresh()
		for range 60 {
			more, over := w.drive(t, test, rng, 1+rng.IntN(40))
			kept = append(kept, more...)
			if over {
				break
			}
			test = fresh()
			slices.SortFunc(kept, func(a, b verbatim.Record) int { return int(a.Seq - b.Seq) })
			kept = slices.CompactFunc(kept, func(a, b verbatim.Record) bool { return a.Seq == b.Seq })
			if err := test.Resume(given(kept)); err != nil {
				rt.Fatal(err)
			}
		}
		got := tested(t, test)
		got.Asked, want.Asked = 0, 0 // what was in flight at the end
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("continued:\n%+v\nuninterrupted:\n%+v", got, want)
		}
	})
}

// randomWorld has differences, outages and limits of all kinds.
func randomWorld(t *rapid.T) *world {
	w := newWorld(rapid.IntRange(1, 5).Draw(t, "lengths"), rapid.IntRange(1, 40).Draw(t, "each"))
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "world"), 3))
	drop := rapid.SampledFrom([]float64{0, 0.05, 0.3, 1}).Draw(t, "drop")
	out := rapid.SampledFrom([]float64{0, 0.01, 0.1}).Draw(t, "out")
	lost := rapid.SampledFrom([]float64{0, 0.01}).Draw(t, "lost")
	for i := range w.now {
		if rng.Float64() < drop {
			w.now[i] = rng.Float64()
		}
		if rng.Float64() < out {
			w.now[i] = -1
		}
		if rng.Float64() < lost {
			w.records[i] = record(int64(i), w.records[i].Item.Facts["length"], -1)
		}
		w.limited[int64(i)] = rng.Float64() < out/2
	}
	return w
}

// TestGateIsThatOfStats: the verdict is the one of the differences in the order
// of the test, whatever the window and the order of arrival.
func TestGateIsThatOfStats(t *testing.T) {
	w := newWorld(4, 100)
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range w.now {
		if rng.Float64() < 0.15 {
			w.now[i] = 0
		}
	}
	got := w.finish(t, w.gate(t), 1)

	plain, err := stats.NewGate(0.05, 0.05, 0)
	if err != nil {
		t.Fatal(err)
	}
	base := w.survey(t)
	n := 0
	for plain.Decision() == stats.Undecided {
		var block []float64
		for _, it := range base.items[n : n+4] {
			block = append(block, w.now[it.seq]-1)
		}
		if _, err := plain.Add(block); err != nil {
			t.Fatal(err)
		}
		n += 4
	}
	if got.Word != Worse || got.Pairs != n || Word(plain.Decision()) != Worse || got.Scopes[0].At != n {
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
	if got.Word != Pass || got.Pairs != enoughTies(t, 4) || !got.Over || got.Last || got.Needed != nil {
		t.Errorf("%+v", got)
	}
	if got.Asked < got.Pairs || got.Asked > got.Pairs+32 {
		t.Errorf("%d items were asked", got.Asked)
	}
}

// enoughTies is how many ties, in blocks, pass a gate at 0.05.
func enoughTies(t *testing.T, block int) int {
	g, err := stats.NewGate(0.05, 0.05, 0)
	if err != nil {
		t.Fatal(err)
	}
	for g.Decision() == stats.Undecided {
		if _, err := g.Add(make([]float64, block)); err != nil {
			t.Fatal(err)
		}
	}
	return g.N()
}

// TestLastLook: the last look is taken once, when the items of the baseline are
// used up, and not at a smaller number that was allowed.
func TestLastLook(t *testing.T) {
	w := newWorld(1, 90) // ties enough for a posterior, too few for bets
	got := w.finish(t, w.gate(t), 1)
	if got.Word != Pass || !got.Last || got.Pairs != 90 || got.Scopes[0].Word != Pass || got.Scopes[0].At != 90 {
		t.Errorf("%+v", got)
	}
	got = w.finish(t, w.gate(t, func(o *TestOptions) { o.Items = 89 }), 1)
	if got.Word != Inconclusive || got.Last || !got.Over || got.Pairs != 89 {
		t.Errorf("%+v", got)
	}
	if got.Needed == nil || *got.Needed != enoughTies(t, 1)-89 {
		t.Errorf("needed: %d, want %d", *got.Needed, enoughTies(t, 1)-89)
	}
}

// TestOutages: a verdict waits until few enough are missing, and none is given,
// nor anything more asked, where that cannot be.
func TestOutages(t *testing.T) {
	w := newWorld(1, 400)
	first := w.survey(t).items[0].seq
	w.now[first] = -1
	for _, it := range w.survey(t).items[1:] {
		w.now[it.seq] = 0 // worse at once
	}
	got := w.finish(t, w.gate(t), 1)
	if got.Word != Worse || got.Unanswered != 1 || got.Pairs != 49 { // 1 of 50 is 2 %
		t.Errorf("%s with %d missing of %d", got.Word, got.Unanswered, got.Pairs+got.Unanswered)
	}
	for i := range w.now {
		w.now[i] = -1
	}
	got = w.finish(t, w.gate(t), 1)
	if got.Word != Withheld || got.Reason != ReasonUnanswered || got.Unanswered != 9 || got.Difference != nil {
		t.Errorf("%s (%s) after %d outages of 400", got.Word, got.Reason, got.Unanswered)
	}
	if got.Asked > 9+32 {
		t.Errorf("%d were asked", got.Asked)
	}
}

// TestResumeAsksAgain: what has no answer is asked again by the next call, and
// nothing else is.
func TestResumeAsksAgain(t *testing.T) {
	w := newWorld(1, 60)
	first := w.survey(t).items[0].seq
	w.now[first] = -1
	for _, it := range w.survey(t).items[1:] {
		w.now[it.seq] = 0
	}
	kept, _ := w.drive(t, w.gate(t), rand.New(rand.NewPCG(1, 1)), 1<<30)
	w.now[first] = 0
	test := w.gate(t)
	if err := test.Resume(given(kept)); err != nil {
		t.Fatal(err)
	}
	requests, err := test.Next(nil)
	if err != nil || len(requests) == 0 || requests[0].Seq != first {
		t.Fatalf("%v, %v: want place %d", requests, err, first)
	}
	for _, r := range requests[1:] {
		if slices.ContainsFunc(kept, func(k verbatim.Record) bool { return k.Seq == r.Seq }) {
			t.Errorf("place %d is asked again", r.Seq)
		}
	}
	if _, err := test.Next([]verbatim.Record{w.answer(requests[0])}); err != nil {
		t.Fatal(err)
	}
	if got := tested(t, test); got.Word != Worse || got.Unanswered != 0 {
		t.Errorf("%+v", got)
	}
}

// TestLimits: no verdict where the token limit stops one side oftener.
func TestLimits(t *testing.T) {
	w := newWorld(1, 200)
	for i := range 5 {
		w.limited[w.survey(t).items[10*i].seq] = true
	}
	got := w.finish(t, w.gate(t), 1)
	if got.Word != Withheld || got.Reason != ReasonLimits || got.Pairs != 41 {
		t.Errorf("%s (%s) after %d", got.Word, got.Reason, got.Pairs)
	}
	got = w.finish(t, w.gate(t, func(o *TestOptions) { o.MaxLimitGap = 0.2 }), 1)
	if got.Reason != "" || got.Limits[1] == 0 || got.Limits[0] != 0 {
		t.Errorf("%s (%s), %v", got.Word, got.Reason, got.Limits)
	}
}

// TestLimitsOfBoth: what stops both sides alike is no reason to withhold.
func TestLimitsOfBoth(t *testing.T) {
	w := newWorld(1, 200)
	for i := range 20 {
		seq := w.survey(t).items[5*i].seq
		w.limited[seq], w.now[seq] = true, 0
		rec := record(seq, "0", 0)
		rec.Outcome, rec.Grade.Outcome, rec.Grade.Detail = verbatim.Limit, verbatim.Limit, "prefix"
		w.records[seq] = rec
	}
	got := w.finish(t, w.gate(t), 1)
	if got.Word != Pass || got.Limits[0] != got.Limits[1] || got.Limits[0] == 0 {
		t.Errorf("%s (%s), %v", got.Word, got.Reason, got.Limits)
	}
}

// TestSkipped: what was never sent is no outage: nothing after it is looked at.
func TestSkipped(t *testing.T) {
	w := newWorld(1, 60)
	test := w.gate(t, func(o *TestOptions) { o.Jobs = 1 })
	requests, err := test.Next(nil)
	if err != nil {
		t.Fatal(err)
	}
	skipped := record(requests[0].Seq, "0", -1)
	skipped.Outcome = verbatim.Skipped
	if _, err := test.Next([]verbatim.Record{skipped, w.answer(requests[1])}); err != nil {
		t.Fatal(err)
	}
	if got := tested(t, test); got.Pairs != 0 || got.Unanswered != 0 || got.Over || got.Word != Inconclusive {
		t.Errorf("%+v", got)
	}
}

// TestBenchmark: a block with an unanswered pair leaves whole, the others of it
// still count in the posterior, and all items asked is a verdict.
func TestBenchmark(t *testing.T) {
	w := newWorld(4, 10)
	base := w.survey(t)
	w.now[base.items[5].seq] = -1
	lost := base.items[9].seq
	w.records[lost] = record(lost, w.records[lost].Item.Facts["length"], -1)
	for _, it := range base.items[36:] {
		w.now[it.seq] = 0
	}
	got := w.finish(t, w.gate(t, func(o *TestOptions) { o.Scope, o.MaxUnanswered, o.Bound = Benchmark, 0.1, 0.02 }), 1)
	// Of ten blocks, one has no baseline and is not asked, one no answer.
	if got.Word != Worse || got.Pairs != 35 || got.Asked != 36 || got.Unanswered != 1 || got.Missing != 1 {
		t.Errorf("%+v", got)
	}
	if s := got.Scopes[0]; s.Low != s.High || s.Low != -4.0/32 {
		t.Errorf("the mean of the 32 that stay is %v to %v", s.Low, s.High)
	}
}

// In the scope of the benchmark the luck of the baseline is known, and costs nothing.
func TestBenchmarkKnowsTheBaseline(t *testing.T) {
	w := newWorld(4, 300)
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range w.now {
		w.records[i] = record(int64(i), fmt.Sprint(i%4), float64(rng.IntN(10)/9))
		w.now[i] = float64(rng.IntN(10) / 9)
	}
	got := w.finish(t, w.gate(t, func(o *TestOptions) { o.Scope = Benchmark }), 1)

	base := w.survey(t)
	var scores, d []float64
	for _, it := range base.items {
		scores, d = append(scores, it.score), append(d, w.now[it.seq]-it.score)
	}
	at := map[bool]int{}
	for _, known := range []bool{false, true} {
		g, err := stats.NewGate(0.05, 0.05, len(d))
		if err != nil {
			t.Fatal(err)
		}
		if known {
			if err := g.Know(scores); err != nil {
				t.Fatal(err)
			}
		}
		for g.Decision() == stats.Undecided {
			if _, err := g.Add(d[g.N() : g.N()+base.block]); err != nil {
				t.Fatal(err)
			}
		}
		at[known] = g.N()
		if g.Decision() != stats.Pass || got.Word != Pass {
			t.Errorf("%q, %q", g.Decision(), got.Word)
		}
	}
	if got.Pairs != at[true] || at[true] >= at[false] {
		t.Errorf("passed after %d items; with the baseline known %d are enough, without %d", got.Pairs, at[true], at[false])
	}

	w.records[17] = record(17, "1", 1.5)
	var r *Refusal
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
		want  Word
	}{{Endpoint, 0, Worse}, {Benchmark, 0, Worse}, {Endpoint, 1, Equivalent}, {Benchmark, 1, Equivalent}} {
		w := newWorld(2, 300)
		for i := range w.now {
			w.now[i] = c.score
		}
		o := w.options()
		o.Scope, o.Bound = c.scope, 0.02
		test, err := NewUntilVerdict(w.survey(t), o)
		if err != nil {
			t.Fatal(err)
		}
		got := w.finish(t, test, 1)
		if got.Word != c.want || len(got.Scopes) != 2 || got.Scopes[0].Scope != c.scope || got.Scopes[0].At != got.Pairs {
			t.Errorf("%s: %+v", c.scope, got)
		}
	}
}

func TestTrials(t *testing.T) {
	w := newWorld(1, 3)
	w.plan.Trials = 3
	for trial := 1; trial < 3; trial++ {
		for seq, score := range []float64{0, []float64{0.5, -1}[trial-1], -1} {
			r := record(int64(seq), "0", score)
			r.Seq, r.Trial = int64(3*trial+2-seq), trial // another order
			w.records = append(w.records, r)
		}
	}
	b := w.survey(t)
	means := map[int64]float64{}
	for _, it := range b.items {
		means[it.seq] = it.score
	}
	for seq, want := range map[int64]float64{0: 1.0 / 3, 1: 0.75, 2: 1} {
		if math.Abs(means[seq]-want) > 1e-12 {
			t.Errorf("mean of item %d is %v, want %v", seq, means[seq], want)
		}
	}
	if b.Items() != 3 || b.Answered() != 3 {
		t.Errorf("%d items, %d answered", b.Items(), b.Answered())
	}
}

func TestOrder(t *testing.T) {
	w := newWorld(4, 25)
	b := w.survey(t)
	if b.Block() != 4 {
		t.Fatalf("blocks of %d", b.Block())
	}
	var order []int64
	for i, it := range b.items {
		order = append(order, it.seq)
		for _, other := range b.items[i/4*4 : i] {
			if other.length == it.length {
				t.Fatalf("block %d has two of length %s", i/4, it.length)
			}
		}
	}
	slices.Reverse(w.records)
	for i, it := range w.survey(t).items {
		if it.seq != order[i] {
			t.Fatal("the order depends on that of the records")
		}
	}
	w.plan.Hash = "abd"
	same := 0
	for i, it := range w.survey(t).items {
		if it.seq == order[i] {
			same++
		}
	}
	if same > 20 {
		t.Errorf("another plan has %d of 100 items at the same place", same)
	}
	w.records = w.records[1:]
	if n := w.survey(t).Block(); n != 1 {
		t.Errorf("lengths of unequal numbers are in blocks of %d", n)
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld(4, 10)
	refuses := func(what, says string, err error) {
		t.Helper()
		var r *Refusal
		if !errors.As(err, &r) || !strings.Contains(err.Error()+" "+r.Do, says) || !r.Misuse() || r.Hint() == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	survey := func(run verbatim.Run, records []verbatim.Record) error {
		_, err := Survey(run, given(records), ownScore)
		return err
	}
	refuses("a test's run", "real-run", survey(verbatim.Run{Name: "x", Test: &verbatim.Test{Kind: "check", Against: "real-run"}}, w.records))
	refuses("no records", "no answer", survey(verbatim.Run{Name: "x"}, nil))
	build := func(change func(*TestOptions)) error {
		o := w.options()
		change(&o)
		_, err := NewGate(w.survey(t), o)
		return err
	}
	refuses("less than a block", "at least 4", build(func(o *TestOptions) { o.Items = 3 }))
	w.records[0] = record(0, "0", -1)
	refuses("too little of a baseline", "1 of 40 items", build(func(o *TestOptions) {}))
	if err := build(func(o *TestOptions) { o.MaxUnanswered, o.Bound = 0.1, -1 }); err == nil {
		t.Error("a margin below 0 is taken")
	}

	w = newWorld(1, 3)
	w.records[0].Prompt, w.records[1].Prompt, w.records[2].Prompt = nil, nil, nil
	_, err := w.gate(t).Next(nil)
	refuses("no prompts", "holds no prompts", err)

	w = newWorld(1, 1)
	w.now[0] = 2.5
	test := w.gate(t)
	requests, err := test.Next(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = test.Next([]verbatim.Record{w.answer(requests[0])})
	refuses("a score above 1", "between 0 and 1", err)
}

func TestStanding(t *testing.T) {
	w := newWorld(1, 50)
	test := w.gate(t)
	if s := test.Standing(); s.Pairs != 0 || s.Most != 50 || s.Difference != nil {
		t.Errorf("%+v", s)
	}
	w.now = make([]float64, 50)
	w.finish(t, test, 1)
	if s := test.Standing(); s.Word != Worse || *s.Difference != -1 || s.Pairs == 0 {
		t.Errorf("%+v", s)
	}
}
