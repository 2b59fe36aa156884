package run

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
)

// TestBatchLimit hands batches over under two limits, the second one after a first batch is
// collected. What is drawn again by later calls, for money and for records, has the limit that
// was sent.
func TestBatchLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		most, short := 700, true
		over := &verbatim.Failure{Class: verbatim.Quota, Err: errors.New("the budget is used up")}
		settled := map[int64]int{}
		change := func(b *Batching) {
			b.Most = func() int { return most }
			b.Limit = func(_ *verbatim.Request, most int) int { return most }
			b.Afford = func(requests []verbatim.Request) (int, error) {
				if short = !short; short {
					return 0, over
				}
				return min(30, len(requests)), nil
			}
			b.Settle = func(r verbatim.Request, _ *verbatim.Reply, _ error) {
				settled[r.Seq] = r.MaxTokens
				most = 80
			}
		}
		stop, cancel := context.WithTimeout(t.Context(), 90*time.Minute)
		defer cancel()
		if r := batched(t, s, p, 90, stop, change); len(p.batches) != 2 || r.Lanes[0].Err != nil {
			t.Fatalf("%d batches, want 2; stopped while one is out: %v", len(p.batches), r.Lanes[0].Err)
		}
		held := map[int64]int{}
		most = 5000
		batched(t, s, p, 90, nil, func(b *Batching) {
			change(b)
			b.Hold = func(requests []verbatim.Request) {
				for _, r := range requests {
					held[r.Seq] = r.MaxTokens
				}
			}
		})
		saved := records(t, s, 1)
		for i, want := range []int{700, 80} {
			for _, r := range p.batches[i].requests {
				if r.MaxTokens != want || settled[r.Seq] != want || saved[r.Seq].MaxTokens != want || i == 1 && held[r.Seq] != want {
					t.Errorf("batch %d, place %d: sent %d tokens, settled %d, saved %d, held %d; want %d",
						i, r.Seq, r.MaxTokens, settled[r.Seq], saved[r.Seq].MaxTokens, held[r.Seq], want)
				}
			}
		}
	})
}

// TestBatchCheck: a Check that fails keeps the next batch from being handed over, and all that
// are out are collected all the same.
func TestBatchCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		empty, answers, asked := errors.New("all answers are empty"), 0, 0
		call := func() Result {
			b := &Batching{Model: p, Submit: true,
				Settle: func(verbatim.Request, *verbatim.Reply, error) { answers++ },
				Afford: func(requests []verbatim.Request) (int, error) {
					if asked++; asked == 3 {
						return 0, &verbatim.Failure{Class: verbatim.Quota, Err: errors.New("the budget is used up")}
					}
					return len(requests), nil
				}}
			result, err := Run(t.Context(), Config{Store: s, Grade: grade, Lanes: []Lane{{Run: begin(t, s, "m", 100), Model: p, Source: fixed(100), Batch: b,
				Check: func() error {
					if answers >= 10 {
						return empty
					}
					return nil
				}}}})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		for _, want := range []int64{80, 0} {
			if r := call(); !errors.Is(r.Lanes[0].Err, empty) || r.Lanes[0].Tally[verbatim.Pass] != want || len(p.batches) != 2 {
				t.Errorf("%d batches, want %d answers: %+v", len(p.batches), want, r.Lanes[0])
			}
		}
	})
}
