package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
)

// TestBatchLimit hands batches over under two limits, the second one after a first
// batch is collected. What later calls draw again, for the budget and for records, has
// the limit that was sent.
func TestBatchLimit(t *testing.T) {
	t.Parallel()
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
					t.Errorf("batch %d, position %d: sent %d tokens, settled %d, saved %d, held %d; want %d",
						i, r.Seq, r.MaxTokens, settled[r.Seq], saved[r.Seq].MaxTokens, held[r.Seq], want)
				}
			}
		}
	})
}

// TestBatchCheck: a Check that fails keeps the next batch from being handed over, and all that
// are out are collected all the same.
func TestBatchCheck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		empty, answers, asked := errors.New("all answers are empty"), 0, 0
		call := func() Result {
			b := newBatching(p)
			b.Submit = true
			b.Settle = func(verbatim.Request, *verbatim.Reply, error) { answers++ }
			b.Afford = func(requests []verbatim.Request) (int, error) {
				if asked++; asked == 3 {
					return 0, &verbatim.Failure{Class: verbatim.Quota, Err: errors.New("the budget is used up")}
				}
				return len(requests), nil
			}
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

// TestBatchLimitRefused: requests that the provider refuses for their token limit go into the
// next batch of the same call, with the lower limit. Others that it refuses do not.
func TestBatchLimitRefused(t *testing.T) {
	for _, whole := range []bool{false, true} {
		t.Run(fmt.Sprintf("whole batch %t", whole), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, p := newStore(t), newProvider()
				most, refusals := 700, 0
				tooLong := &verbatim.Failure{Class: verbatim.BadAsk, Status: 400, Err: errors.New("max_tokens is too large: 700"),
					Attempts: []verbatim.Attempt{{Class: verbatim.BadAsk, Err: "max_tokens is too large: 700"}}}
				if whole {
					p.submit = tooLong
				} else {
					p.refuse = func(r verbatim.Request) error {
						switch {
						case r.MaxTokens > 80:
							return tooLong
						case r.Seq == 3:
							return &verbatim.Failure{Class: verbatim.BadAsk, Status: 400, Err: errors.New("no such parameter")}
						}
						return nil
					}
				}
				aside := map[int64][]int{} // the token limits of the reservations, by position
				r := batched(t, s, p, 60, nil, func(b *Batching) {
					b.Afford = func(requests []verbatim.Request) (int, error) {
						for _, r := range requests {
							aside[r.Seq] = append(aside[r.Seq], r.MaxTokens)
						}
						return len(requests), nil
					}
					b.Settle = func(r verbatim.Request, _ *verbatim.Reply, _ error) {
						if held := aside[r.Seq]; !slices.Equal(held, []int{r.MaxTokens}) {
							t.Errorf("position %d: the reservation is for %v tokens, and is settled for %d", r.Seq, held, r.MaxTokens)
						}
						aside[r.Seq] = nil
					}
					b.Most = func() int { return most }
					b.Limit = func(_ *verbatim.Request, most int) int { return most }
					b.Again = func(_ *verbatim.Request, err error) bool {
						if !errors.Is(err, tooLong) {
							return false
						}
						refusals++
						most, p.submit = 80, nil
						return true
					}
				})
				wantRefusals, wantErrors, wantAttempt := 60, int64(1), 2
				if whole {
					wantRefusals, wantErrors, wantAttempt = 1, 0, 1
				}
				lane := r.Lanes[0]
				if lane.Err != nil || refusals != wantRefusals || lane.Tally[verbatim.Pass] != 60-wantErrors || lane.Tally[verbatim.Errored] != wantErrors {
					t.Fatalf("%d refusals, %d batches: %+v", refusals, len(p.batches), lane)
				}
				if n := tooLong.Attempts[0].N; n != 0 {
					t.Errorf("the failure that all requests share was changed: its attempt has number %d", n)
				}
				for seq, rec := range records(t, s, 1) {
					if held := aside[seq]; len(held) > 0 {
						t.Errorf("position %d: the reservation for %v tokens is not released", seq, held)
					}
					if whole || seq != 3 {
						if attempts := rec.Reply.Attempts; rec.MaxTokens != 80 || attempts[len(attempts)-1].N != wantAttempt || p.paid[seq] != 1 {
							t.Errorf("position %d: %d tokens, attempts %+v, paid %d times", seq, rec.MaxTokens, attempts, p.paid[seq])
						}
					}
				}
			})
		})
	}
}

// TestBatchesOfEndedLane: a call that sends single requests, and ends with an error,
// saves the finished answers of earlier batches. It does not wait for the others.
func TestBatchesOfEndedLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		stop, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
		defer cancel()
		batched(t, s, p, 80, stop, nil) // two batches of 40
		p.batches[1].at = time.Now().Add(24 * time.Hour)
		time.Sleep(time.Hour)
		begun, empty := time.Now(), errors.New("all answers are empty")
		result, err := Run(t.Context(), Config{Store: s, Grade: grade, Lanes: []Lane{{Run: begin(t, s, "m", 80), Model: p, Source: fixed(80),
			Batch: newBatching(p), Check: func() error { return empty }}}})
		if err != nil {
			t.Fatal(err)
		}
		lane := result.Lanes[0]
		if took := time.Since(begun); !errors.Is(lane.Err, empty) || lane.Tally[verbatim.Pass] != 40 || took > time.Minute {
			t.Errorf("after %v: %+v", took, lane)
		}
	})
}
