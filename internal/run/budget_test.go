package run

import (
	"context"
	"errors"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/store"
)

// spent is what a run has cost according to the store.
func spent(t *testing.T, s *store.Store, run int64) store.Spending {
	t.Helper()
	got, err := s.Spending(context.Background(), run)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// costing answers rightly, at a cost.
func costing(cost verbatim.Money) modelFunc {
	return func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
		reply, err := right(ctx, r)
		reply.Cost = &cost
		return reply, err
	}
}

// What a warm-up request cost is spent: it is an attempt at its position, whose record
// follows it or is there already.
func TestWarmupIsCharged(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 4)
	for call := range 2 {
		lane := Lane{Run: r, Model: costing(100), Source: fixed(4)}
		for seq := range int64(2) {
			lane.Warmup = append(lane.Warmup, verbatim.Request{Seq: seq, Item: item(seq)})
		}
		if _, err := Run(t.Context(), Config{Store: s, Lanes: []Lane{lane}, Grade: grade}); err != nil {
			t.Fatal(err)
		}
		if got, want := spent(t, s, r.N), (store.Spending{Replies: 400, Attempts: verbatim.Money(200 * (call + 1))}); got != want {
			t.Errorf("call %d: %+v, want %+v", call, got, want)
		}
	}
	all := records(t, s, r.N)
	if got := all[0].Reply.Attempts; len(got) != 3 || !strings.Contains(got[0].Err, "warm-up") || got[1].Cost != nil || got[1].N != 2 {
		t.Errorf("%+v", got)
	}
	if got := all[2].Reply.Attempts; len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// The cost of an answer that cannot be graded is spent.
func TestUngradedIsCharged(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 1)
	lane := Lane{Run: r, Model: costing(100), Source: fixed(1)}
	_, err := Run(t.Context(), Config{Store: s, Lanes: []Lane{lane}, Grade: func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade { panic("oh") }})
	if err != nil {
		t.Fatal(err)
	}
	if got := spent(t, s, r.N); got.Total() != 100 {
		t.Errorf("%+v", got)
	}
}

// The cost of submitted batches is reserved before any lane sends anything; that of
// batches that were never handed over is released, and that of abandoned ones counts.
func TestBatchesAndBudget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		find          error
		held, settled int
		given         verbatim.Money
	}{
		"never handed over": {nil, 3, 3, 0},
		"not known":         {errors.New("no reply"), 3, 0, 30},
	} {
		s := newStore(t)
		r := begin(t, s, "m", 5)
		w, err := s.Write(t.Context(), nil, r.N)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.BeginBatch(t.Context(), r.N, []int64{1, 2, 4}, store.AnyTokens); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		held, settled, asked := 0, 0, 0
		model := modelFunc(func(ctx context.Context, q verbatim.Request) (verbatim.Reply, error) {
			if asked++; held != c.held {
				t.Errorf("%s: sent while %d were held", name, held)
			}
			return right(ctx, q)
		})
		b := newBatching(&provider{paid: map[int64]int{}, find: c.find})
		b.Forget = true
		b.Hold = func(requests []verbatim.Request) { held += len(requests) }
		b.Settle = func(verbatim.Request, *verbatim.Reply, error) { settled++ }
		b.GiveUp = func(verbatim.Request) *verbatim.Money { return new(verbatim.Money(10)) }
		lane := Lane{Run: r, Model: model, Source: fixed(5), Batch: b}
		if _, err := Run(t.Context(), Config{Store: s, Lanes: []Lane{lane}, Grade: grade}); err != nil {
			t.Fatal(err)
		}
		if held != c.held || settled != c.settled || asked != 5 || spent(t, s, r.N).Attempts != c.given {
			t.Errorf("%s: %d held, %d settled, %d sent, %v given up", name, held, settled, asked, spent(t, s, r.N).Attempts)
		}
	}
}
