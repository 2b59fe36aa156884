package earlystop

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
)

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
	if b.Items() != 3 || b.answered() != 3 {
		t.Errorf("%d items, %d answered", b.Items(), b.answered())
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
		t.Errorf("another plan has %d of 100 items at the same position", same)
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
		var r *verdict.Refusal
		if !errors.As(err, &r) || !strings.Contains(err.Error()+" "+r.Do, says) || !r.Misuse() || r.Hint() == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	survey := func(run verbatim.Run, records []verbatim.Record) error {
		_, err := ReadBaseline(run, given(records), ownScore)
		return err
	}
	refuses("a test's run", "real-run", survey(verbatim.Run{Name: "x", Test: &verbatim.Test{Kind: "check", Baseline: "real-run"}}, w.records))
	refuses("no records", "no answer", survey(verbatim.Run{Name: "x"}, nil))
	build := func(change func(*Options)) error {
		o := w.options()
		change(&o)
		_, err := NewGate(w.survey(t), o)
		return err
	}
	refuses("less than a block", "at least 4", build(func(o *Options) { o.Items = 3 }))
	w.records[0] = record(0, "0", -1)
	refuses("too little of a baseline", "1 of 40 items", build(func(o *Options) {}))
	if err := build(func(o *Options) { o.MaxUnanswered, o.Bound = 0.1, -1 }); err == nil {
		t.Error("a margin below 0 is accepted")
	}

	w = newWorld(1, 3)
	w.records[0].Prompt, w.records[1].Prompt, w.records[2].Prompt = nil, nil, nil
	_, err := w.gate(t).Next(nil)
	refuses("no prompts", "has no prompts", err)

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
