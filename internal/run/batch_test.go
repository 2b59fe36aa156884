package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

// A provider takes batches as real providers do: it answers later, in any order, and
// not always everything. It outlives the runs that use it.
type provider struct {
	batches  []*job
	paid     map[int64]int // how often each position was answered
	ready    time.Duration
	submit   error // what Submit says, after taking the batch where accepted is set
	accepted bool
	find     error
	cut      int // after so many answers the next Collect breaks off; 0 never
	// drop and fail say for a position whether the provider reports nothing about it,
	// or an error.
	drop, fail func(seq int64) bool
	refuse     func(verbatim.Request) error // its answer to a request that it refuses; nil: it accepts all
	foreign    []int64                      // the positions of further results, after the others
	lost       bool                         // every Collect ends within the results
	look       func() error                 // the error of a look at a batch; nil: none
}

type job struct {
	key, id  string
	requests []verbatim.Request
	at       time.Time
}

func (p *provider) Ask(context.Context, *verbatim.Request, *verbatim.Reply) error {
	return errors.New("asked one by one")
}

func (p *provider) Fits(requests []verbatim.Request) (int, error) { return min(len(requests), 40), nil }

func (p *provider) Submit(_ context.Context, key string, requests []verbatim.Request) (string, error) {
	if err := p.submit; err != nil && !p.accepted {
		return "", err
	}
	b := &job{key, fmt.Sprintf("job-%d", len(p.batches)), slices.Clone(requests), time.Now()}
	p.batches = append(p.batches, b)
	return b.id, p.submit
}

func (p *provider) Find(_ context.Context, key string) (string, error) {
	for _, b := range p.batches {
		if b.key == key {
			return b.id, p.find
		}
	}
	return "", p.find
}

func (p *provider) Collect(_ context.Context, id string, answer func(int64, verbatim.Reply, error) error) (verbatim.BatchState, error) {
	i := slices.IndexFunc(p.batches, func(b *job) bool { return b.id == id })
	if i < 0 {
		return verbatim.BatchState{}, &verbatim.Failure{Class: verbatim.BadAsk, Err: errors.New("no such batch")}
	}
	if p.look != nil {
		if err := p.look(); err != nil {
			return verbatim.BatchState{}, err
		}
	}
	b := p.batches[i]
	state := verbatim.BatchState{Raw: "in_progress", Total: int64(len(b.requests))}
	if time.Since(b.at) < p.ready {
		return state, nil
	}
	state.Over, state.Raw = true, "completed"
	for n, i := range rand.Perm(len(b.requests)) {
		r := b.requests[i]
		if p.cut > 0 && n == p.cut {
			p.cut = 0
			return verbatim.BatchState{}, &verbatim.Failure{Class: verbatim.Cut, Err: errors.New("broke off")}
		}
		if p.drop != nil && p.drop(r.Seq) {
			continue
		}
		reply, _ := right(context.Background(), r)
		reply.Batch = b.id
		var err error
		if p.refuse != nil {
			err = p.refuse(r)
		}
		if err != nil {
			reply = verbatim.Reply{}
		} else if p.fail != nil && p.fail(r.Seq) {
			// As package wire makes it: with an attempt, which has no number.
			err = &verbatim.Failure{Class: verbatim.Overload, Err: errors.New("failed in the batch"),
				Attempts: []verbatim.Attempt{{Class: verbatim.Overload, Err: "failed in the batch"}}}
		} else {
			p.paid[r.Seq]++
		}
		if err := answer(r.Seq, reply, err); err != nil {
			return state, err
		}
	}
	for _, seq := range p.foreign {
		if err := answer(seq, verbatim.Reply{Text: "foreign"}, nil); !errors.Is(err, verbatim.ErrForeign) {
			return state, err
		}
		state.Foreign++
		state.FirstForeign = "line 7"
	}
	if p.lost {
		return state, &verbatim.Failure{Class: verbatim.Cut, Err: errors.New("breaks off")}
	}
	return state, nil
}

// newBatching returns the Batching of a provider without a budget and without limits of tokens.
func newBatching(p *provider) *Batching {
	return &Batching{
		Model:  p,
		Afford: func(requests []verbatim.Request) (int, error) { return len(requests), nil },
		Hold:   func([]verbatim.Request) {},
		Settle: func(verbatim.Request, *verbatim.Reply, error) {},
		GiveUp: func(verbatim.Request) *verbatim.Money { return nil },
		Most:   func() int { return AnyTokens },
		Limit:  func(r *verbatim.Request, _ int) int { return r.MaxTokens },
		Again:  func(*verbatim.Request, error) bool { return false },
	}
}

// batched runs n positions in batches of the provider.
func batched(t *testing.T, s *store.Store, p *provider, n int64, stop context.Context, change func(*Batching)) Result {
	t.Helper()
	b := newBatching(p)
	b.Submit = true
	if change != nil {
		change(b)
	}
	result, err := Run(t.Context(), Config{Store: s, Grade: grade, Stop: stop,
		Lanes: []Lane{{Run: begin(t, s, "m", n), Model: p, Source: fixed(n), Batch: b}}})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func newProvider() *provider { return &provider{paid: map[int64]int{}, ready: time.Hour} }

// wantPaid fails where a position was not answered exactly once.
func (p *provider) wantPaid(t *testing.T, s *store.Store, n int64) {
	t.Helper()
	saved := records(t, s, 1)
	for seq := range n {
		if p.paid[seq] != 1 || saved[seq].Outcome != verbatim.Pass || saved[seq].Reply.Batch == "" {
			t.Errorf("position %d: paid %d times, saved as %q", seq, p.paid[seq], saved[seq].Outcome)
		}
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		begun := time.Now()
		r := batched(t, s, p, 100, nil, nil)
		if !r.Lanes[0].Finished || len(p.batches) != 3 {
			t.Errorf("%+v, %d batches", r.Lanes[0], len(p.batches))
		}
		if took := time.Since(begun); took < time.Hour || took > 80*time.Minute {
			t.Errorf("it took %v", took)
		}
		p.wantPaid(t, s, 100)
		rec := records(t, s, 1)[7]
		if !rec.Reply.Times.Start.IsZero() || rec.Reply.Times.Total != 0 || rec.Reply.Attempts[0].N != 1 {
			t.Errorf("%+v", rec.Reply)
		}
	})
}

// A position that a batch did not answer has no answer, and is sent in the next one.
func TestBatchPartial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		p.drop = func(seq int64) bool { return seq%10 == 3 }
		p.fail = func(seq int64) bool { return seq%10 == 4 }
		r := batched(t, s, p, 100, nil, nil)
		if l := r.Lanes[0]; l.Finished || l.Tally[verbatim.Pass] != 80 || l.Tally[verbatim.Errored] != 20 {
			t.Errorf("%+v", l)
		}
		p.drop, p.fail = nil, nil
		if r := batched(t, s, p, 100, nil, nil); !r.Lanes[0].Finished {
			t.Errorf("%+v", r.Lanes[0])
		}
		p.wantPaid(t, s, 100)
		for _, seq := range []int64{13, 14} {
			if a := records(t, s, 1)[seq].Reply.Attempts; len(a) != 2 || a[0].N != 1 || a[1].N != 2 {
				t.Errorf("position %d: attempts %+v", seq, a)
			}
		}
	})
}

// Stopped while batches are out, the next call collects them and hands nothing
// over twice, also when it does not ask for batches.
func TestBatchContinued(t *testing.T) {
	t.Parallel()
	for _, submit := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s, p := newStore(t), newProvider()
			stop, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if r := batched(t, s, p, 100, stop, nil); r.Lanes[0].Finished || r.Lanes[0].Tally.Saved() != 0 {
				t.Errorf("%+v", r.Lanes[0])
			}
			if r := batched(t, s, p, 100, nil, func(b *Batching) { b.Submit = submit }); !r.Lanes[0].Finished {
				t.Errorf("%+v", r.Lanes[0])
			}
			p.wantPaid(t, s, 100)
		})
	}
}

// Killed after the last answer of a batch was saved, but not that it is collected: the next call finishes
// the run, even if the provider does not have the batch any more.
func TestBatchKilledBeforeItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		m := begin(t, s, "m", 30)
		w, err := s.Write(t.Context(), func([]store.Saved) {}, m.N)
		if err != nil {
			t.Fatal(err)
		}
		var positions []int64
		for seq := range int64(30) {
			positions = append(positions, seq)
		}
		b, err := w.BeginBatch(t.Context(), m.N, positions, AnyTokens)
		if err == nil {
			err = w.SetBatchID(t.Context(), b, "forgotten")
		}
		for _, seq := range positions {
			r := requestOf(item(seq), seq)
			reply, _ := right(t.Context(), r)
			g := grade(r.Item, reply.Text, reply.Finish)
			err = errors.Join(err, w.Put(t.Context(), m.N, verbatim.Record{Seq: seq, Item: r.Item, Prompt: r.Prompt, Reply: &reply, Grade: &g, Outcome: g.Outcome}))
		}
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		if r := batched(t, s, p, 30, nil, nil); !r.Lanes[0].Finished || r.Lanes[0].Err != nil || len(p.batches) != 0 {
			t.Errorf("%+v, %d batches", r.Lanes[0], len(p.batches))
		}
		if batches, err := s.Batches(t.Context(), m.N); err != nil || len(batches) != 1 || batches[0].Pending() {
			t.Errorf("%+v, %v", batches, err)
		}
	})
}

// While the state of a batch is unknown, the provider is asked again, and the user gets one message. A
// failure that does not pass, and too many in a row, end the lane.
func TestBatchStateUnknown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		class    verbatim.Class
		failures int // then the state is known
		looks    int // 0: until the batch is over
	}{
		{verbatim.Overload, 1000, batchPatience},
		{verbatim.Overload, batchPatience - 1, 0},
		{verbatim.Auth, 1000, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, p := newStore(t), newProvider()
			looks, messages := 0, 0
			p.look = func() error {
				if looks++; looks <= c.failures {
					return &verbatim.Failure{Class: c.class, Err: errors.New("ask later")}
				}
				return nil
			}
			r := batched(t, s, p, 10, nil, func(b *Batching) {
				b.Talk = func(text string) {
					if strings.Contains(text, "unknown") {
						messages++
					}
				}
			}).Lanes[0]
			if c.looks > 0 && (looks != c.looks || r.Err == nil || r.Finished) || c.looks == 0 && (!r.Finished || r.Err != nil) {
				t.Errorf("%+v: %d looks, %+v", c, looks, r)
			}
			if messages != min(1, c.failures) && c.class != verbatim.Auth {
				t.Errorf("%+v: %d messages", c, messages)
			}
		})
	}
}

// A file of results that breaks off is read again, and what was saved stays.
func TestBatchBreaksOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		p.cut = 17
		if r := batched(t, s, p, 30, nil, nil); !r.Lanes[0].Finished || r.Lanes[0].Tally[verbatim.Pass] != 30 {
			t.Errorf("%+v", r.Lanes[0])
		}
	})
}

// Results of other requests, and second ones, change nothing, and the user hears of them. If the
// results are incomplete at every look, the batch is over in the end: requests without a result have no
// answer.
func TestBatchForeign(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		p.foreign, p.lost = []int64{3, 99, 3}, true
		p.drop = func(seq int64) bool { return seq == 5 }
		said := ""
		batched(t, s, p, 10, nil, func(b *Batching) { b.Talk = func(text string) { said = text } })
		if want := "completed (breaks off); 9 answers of 10 requests are saved. 3 of its results cannot be read, or are of requests that do not wait for one; they are passed over. The first: line 7."; !strings.HasSuffix(said, want) {
			t.Errorf("it says %q", said)
		}
		p.foreign, p.lost, p.drop = nil, false, nil
		if r := batched(t, s, p, 10, nil, nil); !r.Lanes[0].Finished || len(p.batches) != 2 {
			t.Errorf("%+v, %d batches", r.Lanes[0], len(p.batches))
		}
		for seq := range int64(10) {
			if rec := records(t, s, 1)[seq]; rec.Outcome != verbatim.Pass {
				t.Errorf("position %d: %s", seq, rec.Outcome)
			}
		}
	})
}

// Where sending failed, a later call finds out whether the provider has the batch.
func TestBatchUnsure(t *testing.T) {
	t.Parallel()
	lost := &verbatim.Failure{Class: verbatim.Transport, Err: errors.New("connection reset")}
	for _, accepted := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s, p := newStore(t), newProvider()
			p.submit, p.accepted, p.find = lost, accepted, errors.New("no list")
			if r := batched(t, s, p, 30, nil, nil); !errors.Is(r.Lanes[0].Err, lost) {
				t.Errorf("accepted %v: %+v", accepted, r.Lanes[0])
			}
			p.submit = nil
			if r := batched(t, s, p, 30, nil, nil); r.Lanes[0].Err == nil || len(p.batches) > 1 {
				t.Errorf("accepted %v, unknown: %+v, %d batches", accepted, r.Lanes[0], len(p.batches))
			}
			p.find = nil
			if r := batched(t, s, p, 30, nil, nil); !r.Lanes[0].Finished || len(p.batches) != 1 {
				t.Errorf("accepted %v: %+v, %d batches", accepted, r.Lanes[0], len(p.batches))
			}
			p.wantPaid(t, s, 30)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		p.submit, p.find = lost, errors.New("no list")
		batched(t, s, p, 30, nil, nil)
		p.submit = nil
		if r := batched(t, s, p, 30, nil, func(b *Batching) { b.Forget = true }); !r.Lanes[0].Finished {
			t.Errorf("forgotten: %+v", r.Lanes[0])
		}
	})
}

// Where only the reply was lost, the batch is found at once.
func TestBatchReplyLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		p.submit, p.accepted = &verbatim.Failure{Class: verbatim.Transport, Err: errors.New("connection reset")}, true
		if r := batched(t, s, p, 30, nil, nil); !r.Lanes[0].Finished || len(p.batches) != 1 {
			t.Errorf("%+v, %d batches", r.Lanes[0], len(p.batches))
		}
		p.wantPaid(t, s, 30)
	})
}

// A batch that the provider refuses is not submitted.
func TestBatchRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := newStore(t), newProvider()
		p.submit = &verbatim.Failure{Class: verbatim.Quota, Err: errors.New("no money")}
		if r := batched(t, s, p, 30, nil, nil); !errors.Is(r.Lanes[0].Err, p.submit) {
			t.Errorf("%+v", r.Lanes[0])
		}
		batches, err := s.Batches(t.Context(), 1)
		if err != nil || len(batches) != 1 || batches[0].Pending() {
			t.Errorf("%+v, %v", batches, err)
		}
	})
}

// The budget decides how much is handed over; what is released when batches are
// collected is used.
func TestBatchAfford(t *testing.T) {
	t.Parallel()
	for _, back := range []int{0, 10, 1000} {
		synctest.Test(t, func(t *testing.T) {
			s, p := newStore(t), newProvider()
			left, settled := 20, 0
			over := &verbatim.Failure{Class: verbatim.Quota, Err: errors.New("the budget is used up")}
			r := batched(t, s, p, 40, nil, func(b *Batching) {
				b.Afford = func(requests []verbatim.Request) (int, error) {
					n := min(left, len(requests))
					if left -= n; n == 0 {
						return 0, over
					}
					return n, nil
				}
				b.Settle = func(_ verbatim.Request, reply *verbatim.Reply, _ error) {
					if settled++; settled <= back {
						left++
					}
					cost := verbatim.Dollar
					reply.Cost = &cost
				}
			})
			want := min(40, 20+back)
			if short := errors.Is(r.Lanes[0].Err, over); short != (want < 40) || settled != want || r.Lanes[0].Tally[verbatim.Pass] != int64(want) {
				t.Errorf("%d come back: %+v, %d settled", back, r.Lanes[0], settled)
			}
			if rec := records(t, s, 1)[0]; rec.Reply.Cost == nil || *rec.Reply.Cost != verbatim.Dollar {
				t.Errorf("cost %v", rec.Reply.Cost)
			}
			if r := batched(t, s, p, 40, nil, nil); want < 40 && !r.Lanes[0].Finished {
				t.Errorf("%+v", r.Lanes[0])
			}
			p.wantPaid(t, s, 40)
		})
	}
}

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
