package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

var ctx = context.Background()

// finished runs a config whose lanes all have to come to their end.
func finished(t *testing.T, c Config) Result {
	t.Helper()
	c.Grade = grade
	result, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range result.Lanes {
		if !l.Finished || l.Stopped || l.Err != nil {
			t.Fatalf("lane %d: %+v", i, l)
		}
	}
	return result
}

func TestRun(t *testing.T) {
	const n = 1000
	s := newStore(t)
	r := begin(t, s, "m", n)
	var asked log
	var kept []int64
	var last Progress
	var flight, most atomic.Int64
	result := finished(t, Config{Store: s,
		Lanes: []Lane{{Run: r, Source: fixed(n), Jobs: 7, Model: asked.model(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			now := flight.Add(1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			defer flight.Add(-1)
			runtime.Gosched()
			if r.Seq%10 == 3 {
				return verbatim.Reply{Text: "nonsense", Finish: verbatim.FinishStop}, nil
			}
			return right(ctx, r)
		})}},
		Kept:     func(lane int, rec verbatim.Record) { kept = append(kept, rec.Seq) },
		Progress: func(p Progress) { last = p },
	})
	if tally := result.Lanes[0].Tally; tally[verbatim.Pass] != 900 || tally[verbatim.Wrong] != 100 || tally.Kept() != n {
		t.Errorf("tally %v", tally)
	}
	if most.Load() > 7 || most.Load() < 2 {
		t.Errorf("%d requests were in flight at a time, want up to 7", most.Load())
	}
	all := records(t, s, r.N)
	for seq := range int64(n) {
		rec := all[seq]
		want := item(seq)
		if rec.Item == nil || rec.Item.ID != want.ID || rec.MaxTokens != 64+len(want.Want.Text) || len(rec.Prompt) != 1 {
			t.Fatalf("place %d: %+v", seq, rec)
		}
		if rec.Reply.Times.Start.IsZero() || rec.Reply.Times.Total <= 0 {
			t.Fatalf("place %d has no times", seq) // also where the model left them out
		}
	}
	slices.Sort(kept)
	slices.Sort(asked.asked)
	if len(kept) != n || kept[n-1] != n-1 || !slices.Equal(kept, asked.asked) {
		t.Errorf("%d records were reported, %d requests asked", len(kept), len(asked.asked))
	}
	l := last.Lanes[0]
	if l.Session != n || l.Tally.Kept() != n || l.InFlight != 0 || !l.Over || l.PromptTokens == 0 || l.Run.Plan.Count != n {
		t.Errorf("the last progress is %+v", l)
	}
	runs, err := s.Runs(ctx)
	if err != nil || runs[0].Ended.IsZero() || runs[0].Lease != nil {
		t.Errorf("%+v, %v", runs, err)
	}
}

// TestContinue asks a plan in three goes: what has an answer is not asked again,
// what has none is, with its attempts counted on.
func TestContinue(t *testing.T) {
	const n = 300
	s := newStore(t)
	r := begin(t, s, "m", n)
	var tries sync.Map
	flaky := func(fails int) modelFunc {
		return func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			list, _ := tries.LoadOrStore(r.Seq, new([]int))
			*list.(*[]int) = append(*list.(*[]int), r.Attempt)
			if r.Seq%3 == 1 && r.Attempt <= fails {
				return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Overload, Err: errors.New("busy")}
			}
			return right(ctx, r)
		}
	}
	for go_ := range 3 {
		result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(n), Jobs: 4, Model: flaky(2)}}})
		if err != nil {
			t.Fatal(err)
		}
		want := store.Tally{verbatim.Pass: 200, verbatim.Errored: 100}
		switch go_ {
		case 1:
			want = store.Tally{verbatim.Errored: 100}
		case 2:
			want = store.Tally{verbatim.Pass: 100}
		}
		l := result.Lanes[0]
		if fmt.Sprint(l.Tally) != fmt.Sprint(want) || l.Finished != (go_ == 2) || l.Stopped || l.Err != nil {
			t.Errorf("go %d: %+v, want %v", go_, l, want)
		}
	}
	for seq, rec := range records(t, s, r.N) {
		want := "[1]"
		if seq%3 == 1 {
			want = "[1 2 3]"
		}
		list, _ := tries.Load(seq)
		var kept []int
		for _, a := range rec.Reply.Attempts {
			kept = append(kept, a.N)
		}
		if fmt.Sprint(*list.(*[]int)) != want || fmt.Sprint(kept) != want {
			t.Errorf("place %d was tried %v, kept %v, want %s", seq, *list.(*[]int), kept, want)
		}
	}
}

// TestNothingToDo: a run that has everything asks nothing.
func TestNothingToDo(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 20)
	lanes := []Lane{{Run: r, Source: fixed(20), Model: modelFunc(right)}}
	finished(t, Config{Store: s, Lanes: lanes})
	lanes[0].Model = modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
		t.Error("asked again")
		return verbatim.Reply{}, nil
	})
	if result := finished(t, Config{Store: s, Lanes: lanes}); result.Lanes[0].Tally.Kept() != 0 {
		t.Errorf("%+v", result)
	}
}

func TestWhatBecomesOfFailures(t *testing.T) {
	attempts := []verbatim.Attempt{{N: 1, Class: verbatim.Rate}, {N: 2, Class: verbatim.Cut, Partial: "half"}}
	cases := []struct {
		name     string
		answer   modelFunc
		outcome  verbatim.Outcome
		class    verbatim.Class
		attempts int
		says     string
		over     bool // the lane ends
	}{
		{"failure", fails(verbatim.Failure{Class: verbatim.Overload, Err: errors.New("busy"), Attempts: attempts}), verbatim.Errored, verbatim.Overload, 2, "busy", false},
		{"wrapped failure", func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			return verbatim.Reply{}, fmt.Errorf("around: %w", &verbatim.Failure{Class: verbatim.Rate})
		}, verbatim.Errored, verbatim.Rate, 1, "", false},
		{"cut", fails(verbatim.Failure{Class: verbatim.Cut, Attempts: attempts}), verbatim.CutOff, verbatim.Cut, 2, "", false},
		{"request", fails(verbatim.Failure{Class: verbatim.BadAsk}), verbatim.Errored, verbatim.BadAsk, 1, "", false},
		{"plain error", func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			return verbatim.Reply{}, errors.New("odd")
		}, verbatim.Errored, verbatim.Transport, 1, "odd", false},
		{"own time limit", func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			return verbatim.Reply{}, fmt.Errorf("asking: %w", context.DeadlineExceeded)
		}, verbatim.Errored, verbatim.Deadline, 1, "asking", false},
		{"panic", func(context.Context, verbatim.Request) (verbatim.Reply, error) { panic("at the disco") }, verbatim.Errored, verbatim.Content, 1, "disco", false},
		{"quota", fails(verbatim.Failure{Class: verbatim.Quota, Attempts: attempts}), verbatim.Errored, verbatim.Quota, 2, "", true},
		{"budget", fails(verbatim.Failure{Class: verbatim.Quota}), verbatim.Skipped, verbatim.Quota, 0, "", true},
		{"auth", fails(verbatim.Failure{Class: verbatim.Auth, Err: errors.New("no key")}), verbatim.Errored, verbatim.Auth, 1, "no key", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(t)
			r := begin(t, s, "m", 100)
			result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(100), Jobs: 2,
				Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
					if r.Seq == 50 {
						return c.answer(ctx, r)
					}
					return right(ctx, r)
				})}}})
			if err != nil {
				t.Fatal(err)
			}
			all := records(t, s, r.N)
			f := all[50].Failure
			if f == nil || all[50].Outcome != c.outcome || f.Class != c.class || len(f.Attempts) != c.attempts || !strings.Contains(fmt.Sprint(f.Err), c.says) {
				t.Fatalf("%s: %+v", all[50].Outcome, f)
			}
			if c.attempts == 1 && (f.Attempts[0].N != 1 || f.Attempts[0].Class != c.class || f.Attempts[0].Start.IsZero()) {
				t.Errorf("attempt %+v", f.Attempts[0])
			}
			l := result.Lanes[0]
			var ended *verbatim.Failure
			if errors.As(l.Err, &ended) != c.over || c.over && ended.Class != c.class || l.Finished || l.Stopped {
				t.Errorf("%+v", l)
			}
			if kept := len(all); c.over && kept > 60 || !c.over && kept != 100 {
				t.Errorf("%d records", kept)
			}
			for seq, rec := range all {
				if seq != 50 && rec.Outcome != verbatim.Pass {
					t.Errorf("place %d: %s", seq, rec.Outcome)
				}
			}
		})
	}
}

// fails is a model that always fails in one way.
func fails(f verbatim.Failure) modelFunc {
	return func(context.Context, verbatim.Request) (verbatim.Reply, error) {
		own := f
		return verbatim.Reply{}, &own
	}
}

// TestGraderThatFails: the answer is not lost, and not judged either.
func TestGraderThatFails(t *testing.T) {
	for name, bad := range map[string]func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade{
		"panic":      func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade { panic("oh") },
		"no outcome": func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade { return verbatim.Grade{Grader: "text/1"} },
		"no grader": func(*verbatim.Item, string, verbatim.Finish) verbatim.Grade {
			return verbatim.Grade{Outcome: verbatim.Pass}
		},
	} {
		s := newStore(t)
		r := begin(t, s, "m", 10)
		_, err := Run(ctx, Config{Store: s, Lanes: []Lane{{Run: r, Source: fixed(10), Model: modelFunc(right)}},
			Grade: func(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
				if it.ID == item(4).ID {
					return bad(it, text, finish)
				}
				return grade(it, text, finish)
			}})
		if err != nil {
			t.Fatal(err)
		}
		all := records(t, s, r.N)
		if len(all) != 10 || all[4].Outcome != verbatim.Errored || all[4].Failure.Attempts[1].Partial != item(4).Want.Text || all[5].Outcome != verbatim.Pass {
			t.Errorf("%s: %d records, %+v", name, len(all), all[4].Failure)
		}
	}
}

// TestOneBadLane: the others go on to their ends.
func TestOneBadLane(t *testing.T) {
	s := newStore(t)
	var lanes []Lane
	for _, m := range []struct {
		name  string
		model modelFunc
	}{{"good", right}, {"broke", fails(verbatim.Failure{Class: verbatim.Quota})}, {"down", fails(verbatim.Failure{Class: verbatim.Transport})}, {"fine", right}} {
		lanes = append(lanes, Lane{Run: begin(t, s, m.name, 500), Model: m.model, Source: fixed(500), Jobs: 3})
	}
	lanes = append(lanes, Lane{Run: begin(t, s, "odd source", 500), Model: modelFunc(right),
		Source: given(sourceFunc(func([]verbatim.Record) ([]verbatim.Request, error) { return nil, errors.New("out of ideas") }))})
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: lanes})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 3} {
		if l := result.Lanes[i]; !l.Finished || l.Tally[verbatim.Pass] != 500 {
			t.Errorf("lane %d: %+v", i, l)
		}
	}
	if l := result.Lanes[1]; l.Finished || l.Err == nil || l.Tally[verbatim.Skipped] == 0 || l.Tally.Kept() > 10 {
		t.Errorf("the lane without quota: %+v", l)
	}
	if l := result.Lanes[2]; l.Finished || l.Err != nil || l.Stopped || l.Tally[verbatim.Errored] != 500 {
		t.Errorf("the lane that is down: %+v", l)
	}
	if l := result.Lanes[4]; l.Finished || l.Err == nil || l.Err.Error() != "out of ideas" {
		t.Errorf("the lane with a bad source: %+v", l)
	}
}

// TestWarmup: what warms up is asked and not kept.
func TestWarmup(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 10)
	var asked log
	cold := true
	var warm atomic.Bool
	finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: fixed(10), Warmup: []verbatim.Request{{Seq: 1000, Item: item(1000)}, {Seq: 1001, Item: item(1001)}},
		Model: asked.model(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			if r.Seq < 1000 && cold {
				t.Error("a real request before the warm-up was over")
			}
			if r.Seq == 1001 {
				time.Sleep(10 * time.Millisecond)
				cold = false
				return verbatim.Reply{}, errors.New("still loading")
			}
			return right(ctx, r)
		})}},
		Progress: func(p Progress) {
			if p.Lanes[0].Warming {
				warm.Store(true)
			}
		}})
	if len(asked.asked) != 12 || len(records(t, s, r.N)) != 10 || !warm.Load() {
		t.Errorf("%d asked, %d kept, warming was shown: %v", len(asked.asked), len(records(t, s, r.N)), warm.Load())
	}
}

// TestWarmupWithoutKey: a lane that cannot warm up for want of a key is over.
func TestWarmupWithoutKey(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 10)
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(10), Warmup: []verbatim.Request{{Item: item(0)}},
		Model: fails(verbatim.Failure{Class: verbatim.Auth})}}})
	if err != nil || result.Lanes[0].Err == nil || len(records(t, s, r.N)) != 0 {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestSlowProgress: a progress that hangs holds nothing up but the return.
func TestSlowProgress(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 500)
	let := make(chan struct{})
	var asked atomic.Int64
	var last Progress
	finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: fixed(500), Jobs: 4,
		Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			if asked.Add(1) == 500 {
				close(let)
			}
			return right(ctx, r)
		})}},
		Progress: func(p Progress) { <-let; last = p }})
	if last.Lanes[0].Session != 500 {
		t.Errorf("the last progress: %+v", last.Lanes[0])
	}
}

// TestItemsAreDrawnLazily: no more items are drawn than can be under way.
func TestItemsAreDrawnLazily(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 3000)
	var drawn, kept, most atomic.Int64
	source := func(k *store.Places) (verbatim.Source, error) {
		src, err := fixed(3000)(k)
		f := src.(*Fixed)
		places := f.Places
		f.Places = func() (Planned, bool) {
			p, ok := places()
			if now := drawn.Add(1) - kept.Load(); now > most.Load() {
				most.Store(now)
			}
			return p, ok
		}
		return f, err
	}
	finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: source, Jobs: 5, Model: modelFunc(right)}},
		Kept: func(int, verbatim.Record) { kept.Add(1) }})
	// A group may be committed and not yet reported when the next begins to wait.
	if limit := int64(5 + ahead + 2*256 + 1); most.Load() > limit {
		t.Errorf("%d items were under way at a time, want at most %d", most.Load(), limit)
	}
}
