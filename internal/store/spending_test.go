package store

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/store/storetest"
)

// paid is a record whose reply has cost m.
func paid(seq int64, m verbatim.Money) verbatim.Record {
	rec := storetest.Typical(seq)
	rec.Reply.Cost = &m
	return rec
}

func TestSpent(t *testing.T) {
	s := newStore(t)
	a, b := newRun(t, s, "m", "h"), newRun(t, s, "m", "i")
	other := newRun(t, s, "n", "h")
	imported, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "j"}, Model: "m", Origin: "sortbench"}, true)
	must(t, err)
	vain := storetest.Failed(3, verbatim.Errored, 1, 2)
	most := verbatim.Money(70)
	vain.Failure.Attempts[1].Cost = &most
	score := storetest.Typical(4)
	score.Reply = nil // a published score was not paid for
	tooMuch := paid(5, verbatim.MaxMoney+1)
	keep(t, s, a.N, paid(0, 7), paid(1, 11), storetest.Typical(2), vain, score, tooMuch)
	keep(t, s, b.N, paid(0, 2*verbatim.Dollar+3))
	keep(t, s, other.N, paid(0, 1))
	keep(t, s, imported.N, storetest.Typical(0))

	for run, want := range map[int64]Spending{a.N: {18, 70, 2}, b.N: {2*verbatim.Dollar + 3, 0, 0}, other.N: {1, 0, 0}, imported.N: {0, 0, 1}} {
		if got, err := s.Spending(ctx, run); err != nil || got != want {
			t.Errorf("run %d: %+v, want %+v: %v", run, got, want, err)
		}
	}
	if total := (Spending{18, 70, 2}).Total(); total != 88 {
		t.Error(total)
	}

	// An answer replaces the failure: the cost of the attempts stays.
	answer := paid(3, 5)
	answer.Reply.Attempts[0].N = 3
	keep(t, s, a.N, answer)
	if got, err := s.Spending(ctx, a.N); err != nil || got != (Spending{23, 70, 2}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSpentIsTheSum: in whole numbers, whatever the amounts, and never below 0.
func TestSpentIsTheSum(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	rapid.Check(t, func(t *rapid.T) {
		run := rapidRun(t, s)
		var want Spending
		var recs []verbatim.Record
		for i, m := range rapid.SliceOfN(storetest.Amounts(), 0, 6).Draw(t, "costs") {
			rec := storetest.Typical(int64(i))
			if rec.Reply.Cost = m; m == nil {
				want.Unpriced++
			} else {
				want.Replies = addSaturated(want.Replies, *m)
			}
			recs = append(recs, rec)
		}
		keepAll(t, s, run.N, recs)
		if got, err := s.Spending(ctx, run.N); err != nil || got != want {
			t.Fatalf("%+v, want %+v: %v", got, want, err)
		}
	})
	if got := addSaturated(verbatim.MaxMoney, math.MaxInt64-5); got != math.MaxInt64 {
		t.Error(got)
	}
}

func TestHabits(t *testing.T) {
	s := newStore(t)
	list := verbatim.ListAnswer([]any{int64(1), "x"}) // [1, "x"]: 8 bytes
	record := func(seq int64, family string, prompt, completion, reasoning int64, total time.Duration) verbatim.Record {
		rec := storetest.Typical(seq)
		it := *rec.Item
		it.Facts = map[string]string{verbatim.FactFamily: family}
		it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "0123456789"}}}}
		it.Want = verbatim.TextAnswer("wanted")
		if family == "sort" {
			it.Want = list
		}
		rec.Item, rec.Prompt = &it, it.Prompt
		rec.Reply.Usage = verbatim.Usage{Prompt: &prompt, Completion: &completion, Reasoning: &reasoning}
		rec.Reply.Times.Total = total
		return rec
	}
	if h, err := s.UsageStats(ctx, "m", nil); err != nil || h.Replies != 0 || h.Seconds != nil || h.Reasoning99 != nil || h.PromptRate != nil {
		t.Errorf("of nothing: %+v, %v", h, err)
	}
	old, run := newRun(t, s, "m", "h"), newRun(t, s, "m", "i")
	newRun(t, s, "n", "h")
	batched := record(2, "sort", 10, 60, 20, time.Hour)
	batched.Reply.Batch = "batch_1"
	blank := record(3, "sort", 0, 0, 0, time.Second)
	blank.Reply.Usage = verbatim.Usage{}
	variant := record(4, "copy", 30, 12, 0, time.Second)
	variant.Prompt = verbatim.Prompt{{Role: "system", Content: []verbatim.Part{{Text: "01234567890123456789"}}}, variant.Item.Prompt[0]}
	image := record(5, "copy", 1000, 12, 0, time.Second)
	image.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "what?"}, {Image: &verbatim.Image{Bytes: []byte("\x89PNG")}}}}}
	keep(t, s, old.N, record(0, "copy", 5, 1012, 1000, 3*time.Second))
	keep(t, s, run.N, record(0, "copy", 5, 12, 0, time.Second), storetest.Failed(1, verbatim.Errored, 1), batched, blank, variant, image)
	h, err := s.UsageStats(ctx, "m", nil)
	must(t, err)
	f := func(v float64) *float64 { return &v }
	n := func(v int64) *int64 { return &v }
	want := UsageStats{
		UsageStat: UsageStat{Replies: 6, PromptRate: f(50. / 60), AnswerRate: f(88. / 32), Answer: f(88. / 5), Reasoning: f(204), Reasoned: 5, Reasoning99: n(1000), Seconds: f(7. / 5)},
		Families: map[string]UsageStat{
			"copy": {Replies: 4, PromptRate: f(40. / 50), AnswerRate: f(2), Answer: f(12), Reasoning: f(250), Reasoned: 4, Reasoning99: n(1000), Seconds: f(6. / 4)},
			"sort": {Replies: 2, PromptRate: f(1), AnswerRate: f(5), Answer: f(40), Reasoning: f(20), Reasoned: 1, Reasoning99: n(20), Seconds: f(1)},
		},
	}
	if d := storetest.Diff(want, h); d != "" {
		t.Error(d)
	}
	h, err = s.UsageStats(ctx, "m", func(r verbatim.Run) bool { return r.N != old.N })
	must(t, err)
	if h.Replies != 5 || *h.Reasoning99 != 20 {
		t.Errorf("of one run: %+v", h)
	}
}

// TestHabitsAreTheNewest: only the end of a long run is read.
func TestHabitsAreTheNewest(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	var recs []verbatim.Record
	for i := range int64(usageSampleSize + 500) {
		rec := storetest.Typical(i)
		rec.Reply.Usage.Reasoning = &i
		recs = append(recs, rec)
	}
	keep(t, s, run.N, recs...)
	h, err := s.UsageStats(ctx, "m", nil)
	must(t, err)
	if want := int64(500 + usageSampleSize*99/100 - 1); h.Replies != usageSampleSize || *h.Reasoning99 != want {
		t.Errorf("%d replies, 99th percentile %d, want %d", h.Replies, *h.Reasoning99, want)
	}
}
