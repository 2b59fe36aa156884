package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/store"
)

var ctx = context.Background()

// finished runs a config whose lanes must all finish.
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
	var saved []int64
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
		Saved:    func(lane int, rec verbatim.Record) { saved = append(saved, rec.Seq) },
		Progress: func(p Progress) { last = p },
	})
	if tally := result.Lanes[0].Tally; tally[verbatim.Pass] != 900 || tally[verbatim.Wrong] != 100 || tally.Saved() != n {
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
			t.Fatalf("position %d: %+v", seq, rec)
		}
		if rec.Reply.Times.Start.IsZero() || rec.Reply.Times.Total <= 0 {
			t.Fatalf("position %d has no times", seq) // also where the model left them out
		}
	}
	slices.Sort(saved)
	slices.Sort(asked.asked)
	if len(saved) != n || saved[n-1] != n-1 || !slices.Equal(saved, asked.asked) {
		t.Errorf("%d records were reported, %d requests sent", len(saved), len(asked.asked))
	}
	l := last.Lanes[0]
	if l.Session != n || l.Tally.Saved() != n || l.InFlight != 0 || !l.Over || l.PromptTokens == 0 || l.Run.Plan.Count != n {
		t.Errorf("the last progress is %+v", l)
	}
	runs, err := s.Runs(ctx)
	if err != nil || runs[0].Ended.IsZero() || runs[0].Lease != nil {
		t.Errorf("%+v, %v", runs, err)
	}
}

// TestContinue runs a plan in three calls: positions with an answer are not sent again;
// those without one are, and their attempts are counted on.
func TestContinue(t *testing.T) {
	const n = 300
	s := newStore(t)
	r := begin(t, s, "m", n)
	var attempts sync.Map
	flaky := func(fails int) modelFunc {
		return func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			list, _ := attempts.LoadOrStore(r.Seq, new([]int))
			*list.(*[]int) = append(*list.(*[]int), r.Attempt)
			if r.Seq%3 == 1 && r.Attempt <= fails {
				return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Overload, Err: errors.New("busy")}
			}
			return right(ctx, r)
		}
	}
	for go_ := range 3 {
		var last Progress
		result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(n), Jobs: 4, Model: flaky(2)}},
			Progress: func(p Progress) { last = p }})
		if err != nil {
			t.Fatal(err)
		}
		tally, err := s.Tally(ctx, r.N)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range verbatim.Outcomes() {
			if last.Lanes[0].Tally[o] != tally[o] {
				t.Errorf("call %d: progress says %v, the store %v", go_, last.Lanes[0].Tally, tally)
			}
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
			t.Errorf("call %d: %+v, want %v", go_, l, want)
		}
	}
	for seq, rec := range records(t, s, r.N) {
		want := "[1]"
		if seq%3 == 1 {
			want = "[1 2 3]"
		}
		list, _ := attempts.Load(seq)
		var saved []int
		for _, a := range rec.Reply.Attempts {
			saved = append(saved, a.N)
		}
		if fmt.Sprint(*list.(*[]int)) != want || fmt.Sprint(saved) != want {
			t.Errorf("position %d was tried %v, saved %v, want %s", seq, *list.(*[]int), saved, want)
		}
	}
}

// TestNothingToDo: a run whose positions all have answers sends nothing.
func TestNothingToDo(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 20)
	lanes := []Lane{{Run: r, Source: fixed(20), Model: modelFunc(right)}}
	finished(t, Config{Store: s, Lanes: lanes})
	lanes[0].Model = modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
		t.Error("a position was sent again")
		return verbatim.Reply{}, nil
	})
	if result := finished(t, Config{Store: s, Lanes: lanes}); result.Lanes[0].Tally.Saved() != 0 {
		t.Errorf("%+v", result)
	}
}

// TestWarmup: warm-up requests are sent and not saved.
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
		t.Errorf("%d sent, %d saved, warming was shown: %v", len(asked.asked), len(records(t, s, r.N)), warm.Load())
	}
}

// TestWarmupWithoutKey: a lane that cannot warm up because it has no key ends.
func TestWarmupWithoutKey(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 10)
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(10), Warmup: []verbatim.Request{{Item: item(0)}},
		Model: fails(verbatim.Failure{Class: verbatim.Auth})}}})
	if err != nil || result.Lanes[0].Err == nil || len(records(t, s, r.N)) != 0 {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestSlowProgress: a progress function that hangs delays only the return.
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

// TestItemsAreDrawnLazily: no more items are drawn than can be in flight.
func TestItemsAreDrawnLazily(t *testing.T) {
	s := newStore(t)
	r := begin(t, s, "m", 3000)
	var drawn, saved, most atomic.Int64
	source := func(k *store.Positions) (verbatim.Source, error) {
		src, err := fixed(3000)(k)
		f := src.(*Fixed)
		places := f.Places
		f.Places = func() (Planned, bool) {
			p, ok := places()
			if now := drawn.Add(1) - saved.Load(); now > most.Load() {
				most.Store(now)
			}
			return p, ok
		}
		return f, err
	}
	finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Source: source, Jobs: 5, Model: modelFunc(right)}},
		Saved: func(int, verbatim.Record) { saved.Add(1) }})
	// A group may be committed and not yet reported when the next begins to wait.
	if limit := int64(5 + ahead + 2*256 + 1); most.Load() > limit {
		t.Errorf("%d items were in flight at a time, want at most %d", most.Load(), limit)
	}
}
