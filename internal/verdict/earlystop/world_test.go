package earlystop

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/stats/sequential"
)

// A world has the records of a baseline, and the answers that a model would give now.
type world struct {
	plan    verbatim.Plan
	records []verbatim.Record // of the baseline
	now     []float64         // score of each position; below 0: no answer, however often it is sent
	limited map[int64]bool    // positions that the token limit truncates now, undecided
}

// newWorld makes items of some lengths, all of them right in the baseline.
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
		rec.Grade = &verbatim.Grade{Outcome: verbatim.Wrong, Label: "other", Exact: score == 1, Score: &score, Grader: "text/1"}
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
	b, err := ReadBaseline(verbatim.Run{Name: "base", Plan: w.plan}, given(w.records), ownScore)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// options are those of most tests.
func (w *world) options() Options {
	return Options{
		Scope: Endpoint, Bound: 0.05, Alpha: 0.05, MaxUnanswered: 0.02, MaxTruncatedGap: 0.02, Score: ownScore,
		Record: func(seq int64) (verbatim.Record, error) {
			if r := w.records[seq]; r.Seq == seq && r.Trial == 0 {
				return r, nil
			}
			return verbatim.Record{}, fmt.Errorf("no position %d", seq)
		},
		Limits: func(*verbatim.Record) (reply, content int) { return 64, 0 },
	}
}

func (w *world) gate(t testing.TB, change ...func(*Options)) *Test {
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

// answer is the record of a request.
func (w *world) answer(r verbatim.Request) verbatim.Record {
	rec := record(r.Seq, r.Item.Facts["length"], w.now[r.Seq])
	if w.limited[r.Seq] && rec.Grade != nil {
		rec.Outcome, rec.Grade.Outcome, rec.Grade.Detail, rec.Grade.Exact = verbatim.Truncated, verbatim.Truncated, "prefix", false
	}
	return rec
}

// drive sends requests until the test ends, or until so many answers are saved; then
// everything in flight is lost. It returns the saved records. Answers come in any
// order.
func (w *world) drive(t testing.TB, test *Test, rng *rand.Rand, most int) (saved []verbatim.Record, over bool) {
	t.Helper()
	var flying []verbatim.Request
	var done []verbatim.Record
	asked := map[int64]bool{}
	for len(saved) < most {
		requests, err := test.Next(done)
		if err != nil {
			t.Fatal(err)
		}
		if requests == nil {
			for _, r := range flying { // they are saved, although no test waits for them
				saved = append(saved, w.answer(r))
			}
			return saved, true
		}
		for _, r := range requests {
			if asked[r.Seq] {
				t.Fatalf("position %d is sent twice", r.Seq)
			}
			asked[r.Seq] = true
		}
		if flying = append(flying, requests...); len(flying) == 0 {
			t.Fatal("the test waits, and nothing is in flight")
		}
		if len(flying) > test.window() {
			t.Fatalf("%d requests are in flight", len(flying))
		}
		done = done[:0]
		for range 1 + rng.IntN(len(flying)) {
			i := rng.IntN(len(flying))
			rec := w.answer(flying[i])
			flying = slices.Delete(flying, i, i+1)
			done, saved = append(done, rec), append(saved, rec)
		}
		slices.SortFunc(done, func(a, b verbatim.Record) int { return int(a.Seq - b.Seq) })
	}
	return saved, false
}

func (w *world) finish(t testing.TB, test *Test, seed uint64) *Result {
	t.Helper()
	if _, over := w.drive(t, test, rand.New(rand.NewPCG(seed, 1)), 1<<30); !over {
		t.Fatal("the test does not end")
	}
	return tested(t, test)
}

func tested(t testing.TB, test *Test) *Result {
	t.Helper()
	out, err := test.Result()
	if err != nil {
		t.Fatal(err)
	}
	return out
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

// enoughTies is how many ties, in blocks, pass a gate at 0.05.
func enoughTies(t *testing.T, block int) int {
	g, err := sequential.NewGate(0.05, 0.05, 0)
	if err != nil {
		t.Fatal(err)
	}
	for g.Decision() == sequential.Undecided {
		if _, err := g.Add(make([]float64, block)); err != nil {
			t.Fatal(err)
		}
	}
	return g.N()
}
