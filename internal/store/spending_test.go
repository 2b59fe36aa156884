package store

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/store/sqlite"
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
		InFlight:  3,
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

func TestMedianInFlight(t *testing.T) {
	for want, c := range map[int][2][]int64{
		0: {},
		1: {{0, 10, 20}, {5, 20, 25}}, // a request that is sent when an answer comes does not meet it
		2: {{20, 2, 1, 0}, {30, 3, 10, 10}},
		4: {{0, 1, 2, 3, 4, 5}, {100, 101, 102, 103, 104, 105}},
	} {
		if got := medianInFlight(c[0], c[1]); got != want {
			t.Errorf("%v: %d, want %d", c, got, want)
		}
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

// killed ends a Writer as a kill does, but removes the lease, which a dead process
// would leave.
func killed(tb testing.TB, w *Writer) {
	tb.Helper()
	w.stop(errors.New("killed"))
	w.Close()
}

// TestReservations: what is reserved counts as spent until the record is saved, is
// removed with it, and becomes failed attempts where the process ended before.
func TestReservations(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h").N
	want := func(when string, rows, spent int64) {
		t.Helper()
		got, err := s.Spending(ctx, run)
		must(t, err)
		if n := count(t, s, `SELECT count(*) FROM reservation`); n != rows || int64(got.Total()) != spent {
			t.Errorf("%s: %d reservations and %d spent, want %d and %d", when, n, got.Total(), rows, spent)
		}
	}
	w, err := s.Write(ctx, nil, run)
	must(t, err)
	r := w.Reservations(run)
	for seq := range int64(12) {
		must(t, r.Reserve(ctx, seq, 1, 100))
	}
	want("in flight", 12, 1200)
	must(t, r.Reserve(ctx, 11, 1, 100)) // sent twice
	must(t, r.Reserve(ctx, 10, 2, 100)) // a retry
	want("a retry and a request that was sent twice", 13, 1400)
	r.Release(10, 1)
	for seq := range int64(9) { // eight at once, and one by itself
		must(t, w.Put(ctx, run, paid(seq, 7)))
	}
	must(t, r.Charge(9, []verbatim.Attempt{{N: 1, Err: "a warm-up request", Cost: new(verbatim.Money(30))}}))
	must(t, w.waitCommitted(ctx))
	must(t, r.Reserve(ctx, 9, 2, 100))
	want("nine saved and a warm-up request charged", 3, 9*7+30+100+200+100)
	killed(t, w)
	if n, most, err := s.Unrecorded(ctx, run); err != nil || n != 4 || most != 30+100+200+100 {
		t.Errorf("%d attempts without a record, of %d: %v", n, most, err)
	}
	want("killed", 3, 9*7+30+100+200+100)

	w, err = s.Write(ctx, nil, run)
	must(t, err)
	want("claimed again", 0, 9*7+30+100+200+100)
	if n, most, err := s.Unrecorded(ctx, run); err != nil || n != 4 || most != 30+100+200+100 {
		t.Errorf("%d attempts without a record, of %d: %v", n, most, err)
	}
	positions, err := s.Positions(ctx, run)
	must(t, err)
	if positions.Attempts(9) != 2 || positions.Attempts(10) != 2 || positions.Attempts(11) != 1 || positions.Attempts(0) != 0 {
		t.Errorf("%d, %d, %d and %d attempts", positions.Attempts(9), positions.Attempts(10), positions.Attempts(11), positions.Attempts(0))
	}
	answer := paid(11, 5)
	answer.Reply.Attempts[0].N = 2
	must(t, w.Put(ctx, run, answer))
	must(t, w.Put(ctx, run, storetest.Failed(10, verbatim.Errored, 3)))
	must(t, w.Close())
	want("asked again", 0, 9*7+30+100+200+100+5)
	recs := all(t, s, run, whole)
	if got := recs[len(recs)-1].Reply.Attempts; len(got) != 2 || got[0].Class != verbatim.Transport || *got[0].Cost != 200 || got[0].Start.IsZero() || got[0].Err == "" || got[1].N != 2 || got[1].Cost != nil {
		t.Errorf("the attempts of an answer: %+v", got)
	}
	if got := recs[len(recs)-2].Failure.Attempts; len(got) != 2 || *got[0].Cost != 100 || got[1].N != 3 {
		t.Errorf("the attempts of a failure: %+v", got)
	}
	wantTallies(t, s)
	must(t, s.Check(ctx))
}

// TestChargeAnswered: an attempt that is charged to a position with an answer is added
// to the answer's own, which read as before.
func TestChargeAnswered(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h").N
	keep(t, s, run, storetest.Typical(0))
	before := all(t, s, run, whole)[0]
	w, err := s.Write(ctx, nil, run)
	must(t, err)
	must(t, w.Reservations(run).Charge(0, []verbatim.Attempt{{N: 2, Cost: new(verbatim.Money(3))}}))
	must(t, w.Close())
	got := all(t, s, run, whole)[0].Reply.Attempts
	if d := storetest.Diff(before.Reply.Attempts, got[:1]); d != "" || len(got) != 2 || *got[1].Cost != 3 {
		t.Errorf("%s%+v", d, got)
	}
}

// TestReservationsShareCommits: requests that are sent together wait for the same
// commits, and a Writer that stops lets no caller wait.
func TestReservationsShareCommits(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h").N
	w, err := s.Write(ctx, nil, run)
	must(t, err)
	var group sync.WaitGroup
	for seq := range int64(500) {
		group.Go(func() {
			if err := w.Reservations(run).Reserve(ctx, seq, 1, 1); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := count(t, s, `SELECT count(*) FROM reservation`); n != 500 {
		t.Errorf("%d reservations", n)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := w.Reservations(run).Reserve(gone, 600, 1, 1); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	must(t, w.Close())
	if err := w.Reservations(run).Reserve(ctx, 501, 1, 1); err == nil {
		t.Error("a writer that is closed has saved a reservation")
	}
	if err := w.Reservations(run+1).Reserve(ctx, 501, 1, 1); err == nil {
		t.Error("a reservation of a run that is not claimed was saved")
	}
}

// TestReservationsOfLostLease: a process that has lost its run saves no reservation,
// so it sends nothing more.
func TestReservationsOfLostLease(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h").N
	w, err := s.Write(ctx, nil, run)
	must(t, err)
	must(t, w.Reservations(run).Reserve(ctx, 0, 1, 40))
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, _, err := c.Exec(`UPDATE lease SET token = 'another'`)
		return err
	}))
	if err := w.Reservations(run).Reserve(ctx, 1, 1, 40); err == nil {
		t.Error("a reservation was saved without the lease")
	}
	w.Close()
	if n := count(t, s, `SELECT count(*) FROM reservation`); n != 1 {
		t.Errorf("%d reservations", n)
	}
}

// TestReservationsInCopy: in a copy of the file that was made while requests were in
// flight their reservations count, once.
func TestReservationsInCopy(t *testing.T) {
	dir := t.TempDir()
	s := create(t, filepath.Join(dir, "a.db"))
	run := newRun(t, s, "m", "h").N
	w, err := s.Write(ctx, nil, run)
	must(t, err)
	must(t, w.Reservations(run).Reserve(ctx, 4, 1, 40))
	path := filepath.Join(dir, "b.db")
	must(t, s.file.With(func(c *sqlite.Conn) error {
		_, _, err := c.ExecOnce(`VACUUM INTO ?`, path)
		return err
	}))
	must(t, w.Close())
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	copied := create(t, path)
	must(t, copied.file.Update(ctx, func(c *sqlite.Conn) error { // its holder is long silent
		_, _, err := c.Exec(`UPDATE lease SET beat = 0, machine = 'another'`)
		return err
	}))
	for range 2 {
		if got, err := copied.Spending(ctx, run); err != nil || got.Attempts != 40 {
			t.Errorf("%+v, %v", got, err)
		}
		keep(t, copied, run, storetest.Typical(int64(count(t, copied, `SELECT count(*) FROM reply`))))
	}
	if n := count(t, copied, `SELECT count(*) FROM attempt WHERE cost = 40`); n != 1 {
		t.Errorf("%d attempts", n)
	}
}

// TestExportTried: attempts at positions without a record are in an export, once, however
// often it is imported; open reservations are among them.
func TestExportTried(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h").N
	w, err := s.Write(ctx, nil, run)
	must(t, err)
	must(t, w.Put(ctx, run, storetest.Typical(0)))
	must(t, w.Reservations(run).Charge(3, []verbatim.Attempt{{N: 1, Class: verbatim.Cut, Cost: new(verbatim.Money(30))}}))
	must(t, w.Reservations(run).Reserve(ctx, 5, 1, 40))
	must(t, w.Reservations(run).Reserve(ctx, 3, 2, 50))
	must(t, w.waitCommitted(ctx))
	text := export(t, s, run)
	must(t, w.Close())
	other := newStore(t)
	for range 2 {
		_, err := other.Import(ctx, strings.NewReader(text))
		must(t, err)
		if got, err := other.Spending(ctx, 1); err != nil || got.Attempts != 120 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if again := export(t, other, 1); again != text {
		t.Errorf("exported again:\n%s\nwant\n%s", again, text)
	}
	positions, err := other.Positions(ctx, 1)
	must(t, err)
	if positions.Attempts(3) != 2 || positions.Attempts(5) != 1 || positions.Answered(3) {
		t.Error("attempts at positions without a record are not counted on")
	}
}
