package earlystop

import (
	"math/rand/v2"
	"slices"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
)

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
}
