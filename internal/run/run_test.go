package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

// newStore makes a database in a directory of the test.
func newStore(tb testing.TB) *store.Store {
	tb.Helper()
	s, err := store.Create(context.Background(), filepath.Join(tb.TempDir(), "verbatim.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// begin makes a run of n positions, or finds it.
func begin(tb testing.TB, s *store.Store, model string, n int64) verbatim.Run {
	tb.Helper()
	r, _, err := s.Begin(context.Background(), verbatim.Run{
		Plan: verbatim.Plan{Hash: fmt.Sprintf("%016x", n), Suite: "custom", Count: n, Trials: 1}, Model: model, Tool: "test",
	}, false)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// item draws the item of a position: a typical question of a few hundred bytes.
func item(seq int64) *verbatim.Item {
	length := 30 + int(seq*2654435761%400)
	b := make([]byte, length)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[(int(seq)*31+i*i*7)%62]
	}
	text := string(b)
	cell := strconv.Itoa(int(seq % 84))
	source := verbatim.TextAnswer(text)
	return &verbatim.Item{
		ID: "copy@1/len=" + cell + "/seed=1/" + strconv.FormatInt(seq/84, 10),
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "Repeat the following string exactly without modifying it. " +
			"Don't output anything else. Only output the string without anything additional, not even quotes: \"" + text + "\""}}}},
		Want: verbatim.TextAnswer(text), Source: &source,
		Facts: map[string]string{verbatim.FactFamily: "copy", verbatim.FactLength: cell, verbatim.FactEdition: "standard"},
	}
}

// fixed is a Source of the positions 0 to n-1.
func fixed(n int64) func(*store.Positions) (verbatim.Source, error) {
	return func(saved *store.Positions) (verbatim.Source, error) {
		var seq int64
		return &Fixed{
			Saved: saved,
			Places: func() (Planned, bool) {
				if seq == n {
					return Planned{}, false
				}
				at := seq
				seq++
				return Planned{Seq: at, Request: func() (verbatim.Request, error) { return requestOf(item(at), at), nil }}, true
			},
		}, nil
	}
}

// requestOf returns the request for an item.
func requestOf(it *verbatim.Item, seq int64) verbatim.Request {
	return verbatim.Request{Seq: seq, Attempt: 1, Item: it, Prompt: it.Prompt, MaxTokens: 64 + len(it.Want.Text)}
}

// given returns a Source that exists already.
func given(s verbatim.Source) func(*store.Positions) (verbatim.Source, error) {
	return func(*store.Positions) (verbatim.Source, error) { return s, nil }
}

// grade is a grader: right or wrong.
func grade(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	g := verbatim.Grade{Outcome: verbatim.Wrong, Label: "unrelated", Score: new(float64), Grader: "text/1",
		Measures: map[string]float64{"length": float64(len(text)), "want_length": float64(len(it.Want.Text)), "similarity": 0.5}}
	if text == it.Want.Text {
		g.Outcome, g.Label, g.Exact, g.Extracted = verbatim.Pass, "pass", true, true
		*g.Score = 1
	}
	return g
}

// A modelFunc is a Model.
type modelFunc func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error)

func (f modelFunc) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	got, err := f(ctx, *r)
	if err == nil {
		*reply = got
	}
	return err
}

// right answers rightly and at once.
func right(_ context.Context, r verbatim.Request) (verbatim.Reply, error) {
	tokens := int64(len(r.Item.Want.Text))
	now := time.Now()
	return verbatim.Reply{
		Text: r.Item.Want.Text, Finish: verbatim.FinishStop, FinishRaw: "stop", ServedModel: "right",
		Usage:    verbatim.Usage{Prompt: &tokens, Completion: &tokens},
		Times:    verbatim.Times{Start: now, Total: time.Microsecond},
		Attempts: []verbatim.Attempt{{N: r.Attempt, Start: now, Total: time.Microsecond, Status: 200, Bytes: tokens}},
	}, nil
}

// A log counts the requests that a model got.
type log struct {
	mu    sync.Mutex
	asked []int64
}

func (l *log) model(answer modelFunc) modelFunc {
	return func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
		l.mu.Lock()
		l.asked = append(l.asked, r.Seq)
		l.mu.Unlock()
		return answer(ctx, r)
	}
}

// records reads a run as a map by position.
func records(tb testing.TB, s *store.Store, run int64) map[int64]verbatim.Record {
	tb.Helper()
	all := map[int64]verbatim.Record{}
	for rec, err := range s.Records(context.Background(), run, store.Read{Texts: true, Measures: true, Attempts: true}) {
		if err != nil {
			tb.Fatal(err)
		}
		all[rec.Seq] = rec
	}
	return all
}

// A course records how far lanes are apart when they start requests.
type course struct {
	mu     sync.Mutex
	at     []int64 // the position each lane has started last
	most   int64   // how far two lanes were apart at most
	starts []int   // in order, by lane
}

func (c *course) start(lane int, seq int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at[lane] = seq
	c.starts = append(c.starts, lane)
	lo, hi := c.at[0], c.at[0]
	for _, at := range c.at {
		lo, hi = min(lo, at), max(hi, at)
	}
	c.most = max(c.most, hi-lo)
}

// lanes makes lanes whose models take as long as delay says.
func (c *course) lanes(t *testing.T, n int64, jobs int, count int, delay func(ctx context.Context, lane int, seq int64)) Config {
	s := newStore(t)
	c.at = make([]int64, count)
	config := Config{Store: s, Grade: grade}
	for i := range count {
		c.at[i] = -1
		config.Lanes = append(config.Lanes, Lane{Run: begin(t, s, fmt.Sprint("m", i), n), Source: fixed(n), Jobs: jobs,
			Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
				c.start(i, r.Seq)
				delay(ctx, i, r.Seq)
				return right(ctx, r)
			})})
	}
	return config
}

// TestLanesGoInStep: lanes of about the same speed send the same items at about the
// same time.
func TestLanesGoInStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c course
		config := c.lanes(t, 60, 1, 3, func(_ context.Context, lane int, seq int64) {
			time.Sleep(time.Duration(5+lane+(int(seq)*7+lane*3)%5) * time.Millisecond)
		})
		finished(t, config)
		if c.most > 3 {
			t.Errorf("lanes were %d positions apart", c.most)
		}
		for i := 0; i+3 <= len(c.starts); i += 3 {
			if seen := map[int]bool{c.starts[i]: true, c.starts[i+1]: true, c.starts[i+2]: true}; i < 3 && len(seen) != 3 {
				t.Errorf("the first three starts are of lanes %v", c.starts[:3])
			}
		}
	})
}

// TestSlowLane: a lane that is much slower is left behind, and the others finish while
// it is at its beginning.
func TestSlowLane(t *testing.T) {
	var c course
	let := make(chan struct{})
	var once sync.Once
	config := c.lanes(t, 300, 4, 2, func(_ context.Context, lane int, seq int64) {
		if lane == 1 {
			<-let // it hangs until the other has finished
		}
		if lane == 0 && seq == 299 {
			once.Do(func() { close(let) })
		}
	})
	finished(t, config)
	if c.most < letGo {
		t.Errorf("lanes were %d positions apart at most", c.most)
	}
}

// TestDeadLane: no lane waits for a lane that has ended.
func TestDeadLane(t *testing.T) {
	var c course
	config := c.lanes(t, 100, 1, 2, func(context.Context, int, int64) {})
	config.Lanes[1].Model = fails(verbatim.Failure{Class: verbatim.Quota})
	result, err := Run(ctx, config)
	if err != nil || !result.Lanes[0].Finished || result.Lanes[1].Finished {
		t.Errorf("%+v, %v", result, err)
	}
}

// TestTurns tests the rules without models.
func TestTurns(t *testing.T) {
	var turn = newTurns(3)
	started := func(me int, seq int64, patience time.Duration) bool {
		begun := time.Now()
		turn.wait(ctx, me, seq, patience)
		return time.Since(begun) < patience
	}
	const long, short = time.Minute, 20 * time.Millisecond
	if !started(0, 0, long) || !started(1, 0, long) || !started(2, 0, long) || !started(0, 1, long) {
		t.Error("a lane that is not ahead waits")
	}
	if started(0, 2, short) {
		t.Error("a lane two positions ahead does not wait")
	}
	if !started(0, 2+letGo, long) {
		t.Error("a lane waits for others that were let go")
	}
	released := make(chan bool)
	turn.wait(ctx, 1, 9, 0)
	turn.wait(ctx, 2, 9, 0)
	go func() { released <- started(1, 11, long) }() // waits for 2 to start 10
	select {
	case <-released:
		t.Error("did not wait")
	case <-time.After(short):
	}
	turn.wait(ctx, 2, 10, long)
	if !<-released {
		t.Error("was not released by the other's start")
	}
	go func() { released <- started(1, 12, long) }()
	turn.leave(2)
	if !<-released {
		t.Error("was not released by the other's end")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	turn = newTurns(2)
	turn.wait(done, 0, 5, long) // returns
}

// BenchmarkRun sends b.N positions to a model without latency, grades the replies and
// saves them durably.
func BenchmarkRun(b *testing.B) {
	s := newStore(b)
	n := int64(b.N)
	r := begin(b, s, "sim:careful", n)
	b.ResetTimer()
	result, err := Run(context.Background(), Config{Store: s, Grade: grade,
		Lanes: []Lane{{Run: r, Model: modelFunc(right), Source: fixed(n), Jobs: 16}}})
	b.StopTimer()
	if err != nil || !result.Lanes[0].Finished || result.Lanes[0].Tally.Answered() != n {
		b.Fatal(result, err)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rec/s")
}

// askFast is the process that BenchmarkProcess measures.
func askFast(dir string, n int64) error {
	s, err := store.Create(ctx, filepath.Join(dir, "verbatim.db"))
	if err != nil {
		return err
	}
	r, _, err := s.Begin(ctx, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef", Count: n}, Model: "m"}, false)
	if err != nil {
		return err
	}
	result, err := Run(ctx, Config{Store: s, Grade: grade, Lanes: []Lane{{Run: r, Source: fixed(n), Jobs: 16, Model: modelFunc(right)}}})
	if err == nil && result.Lanes[0].Tally[verbatim.Pass] != n {
		err = fmt.Errorf("%+v", result)
	}
	if err != nil {
		return err
	}
	return s.Close()
}
