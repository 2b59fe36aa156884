package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim"

	"verbatim/internal/store/storetest"
)

// TestKeptIsCommitted: when the writer reports a record as saved, another process can
// see it.
func TestKeptIsCommitted(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	other := create(t, s.file.Path())
	var seen []int64
	w, err := s.Write(ctx, func(group []Saved) {
		if len(group) == 0 || len(group) > GroupSize {
			t.Errorf("a group of %d", len(group))
		}
		for _, k := range group {
			if n := count(t, other, `SELECT count(*) FROM reply WHERE place = ?`, positionKey(run.N, k.Record.Seq)); n != 1 {
				t.Errorf("position %d is reported as saved and is not there", k.Record.Seq)
			}
			if k.Run != run.N || k.Replaced != "" {
				t.Errorf("%+v", k)
			}
			seen = append(seen, k.Record.Seq)
		}
	}, run.N)
	must(t, err)
	for i := range int64(600) {
		must(t, w.Put(ctx, run.N, storetest.Typical(i)))
	}
	must(t, w.Close())
	must(t, w.Close()) // a second Close does nothing
	slices.Sort(seen)
	if len(seen) != 600 || seen[599] != 599 {
		t.Errorf("%d records were reported", len(seen))
	}
}

// TestWriterIsPrompt: a record alone is committed without waiting for others.
func TestWriterIsPrompt(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	saved := make(chan struct{})
	w, err := s.Write(ctx, func([]Saved) { saved <- struct{}{} }, run.N)
	must(t, err)
	for i := range int64(3) {
		must(t, w.Put(ctx, run.N, storetest.Typical(i)))
		<-saved // would hang, were the writer waiting for a group to be full
	}
	must(t, w.Close())
}

// TestRoomIsBounded: at most one group of records waits, neither saved nor refused.
func TestRoomIsBounded(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	stuck, let := make(chan struct{}), make(chan struct{})
	var once sync.Once
	reported := 0
	w, err := s.Write(ctx, func(k []Saved) {
		reported += len(k)
		once.Do(func() { close(stuck); <-let })
	}, run.N)
	must(t, err)
	must(t, w.Put(ctx, run.N, storetest.Typical(0)))
	<-stuck // the writer is busy from here on: what is put waits
	done, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	var n int64 = 1
	for ; ; n++ {
		if err := w.Put(done, run.N, storetest.Typical(n)); err != nil {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			break
		}
	}
	if n != GroupSize+1 {
		t.Errorf("%d records wait, want %d", n-1, GroupSize)
	}
	close(let)
	must(t, w.Put(ctx, run.N, storetest.Typical(n))) // there is room again
	must(t, w.Close())
	if want := int(n) + 1; reported != want {
		t.Errorf("%d records saved, want %d", reported, want)
	}
}

// TestLongTextsTakeMoreRoom: the records that wait are bounded in bytes as well.
func TestLongTextsTakeMoreRoom(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	stuck, let := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w, err := s.Write(ctx, func([]Saved) { once.Do(func() { close(stuck); <-let }) }, run.N)
	must(t, err)
	must(t, w.Put(ctx, run.N, storetest.Typical(0)))
	<-stuck
	long := strings.Repeat("x", 10<<20)
	done, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	var n int64 = 1
	for ; ; n++ {
		rec := storetest.Typical(n)
		rec.Reply.Text = long
		if w.Put(done, run.N, rec) != nil {
			break
		}
	}
	if n-1 < 1 || n-1 > 2 {
		t.Errorf("%d replies of 10 MB wait", n-1)
	}
	close(let)
	must(t, w.Close())
	got := all(t, s, run.N, whole)
	if int64(len(got)) != n || got[1].Reply.Text != long {
		t.Errorf("%d records, the second with %d bytes", len(got), len(got[1].Reply.Text))
	}
}

func TestAnAnswerIsNeverReplaced(t *testing.T) {
	for name, second := range map[string]verbatim.Record{"answer": storetest.Typical(0), "failure": storetest.Failed(0, verbatim.Errored, 1)} {
		s := newStore(t)
		run := newRun(t, s, "m", "h")
		first := storetest.Typical(0)
		first.Reply.Text = "the first answer"
		keep(t, s, run.N, first, storetest.Typical(1))
		w, err := s.Write(ctx, nil, run.N)
		must(t, err)
		must(t, w.Put(ctx, run.N, second))
		if err := w.Close(); err == nil || !strings.Contains(err.Error(), "never replaced") {
			t.Errorf("%s: %v", name, err)
		}
		if got := all(t, s, run.N, whole); len(got) != 2 || got[0].Reply.Text != "the first answer" {
			t.Errorf("%s: %d records, first %q", name, len(got), got[0].Reply.Text)
		}
		wantTallies(t, s)
	}
}

// TestFailuresAreReplaced: a position without an answer takes the next record, and
// all its attempts stay.
func TestFailuresAreReplaced(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Failed(0, verbatim.Errored, 1, 2), storetest.Failed(1, verbatim.Skipped), storetest.Failed(2, verbatim.CutOff, 1), storetest.Typical(3))
	answer := storetest.Typical(0)
	answer.Reply.Attempts[0].N = 3
	saved := keep(t, s, run.N, answer, storetest.Typical(1), storetest.Failed(2, verbatim.Errored, 2, 3))
	replaced := map[int64]verbatim.Outcome{}
	for _, k := range saved {
		replaced[k.Record.Seq] = k.Replaced
	}
	if d := storetest.Diff(map[int64]verbatim.Outcome{0: verbatim.Errored, 1: verbatim.Skipped, 2: verbatim.CutOff}, replaced); d != "" {
		t.Error(d)
	}
	got := all(t, s, run.N, whole)
	var attempts []int
	for _, a := range got[0].Reply.Attempts {
		attempts = append(attempts, a.N)
	}
	if got[0].Outcome != verbatim.Pass || got[0].Failure != nil || !slices.Equal(attempts, []int{1, 2, 3}) {
		t.Errorf("place 0: %s, attempts %v", got[0].Outcome, attempts)
	}
	if got[1].Outcome != verbatim.Pass || got[2].Outcome != verbatim.Errored || len(got[2].Failure.Attempts) != 3 {
		t.Errorf("place 1 %s, place 2 %s with %d attempts", got[1].Outcome, got[2].Outcome, len(got[2].Failure.Attempts))
	}
	wantTallies(t, s)
	if tally, err := s.Tally(ctx, run.N); err != nil || tally[verbatim.Pass] != 3 || tally[verbatim.Errored] != 1 || tally.Saved() != 4 || tally.Answered() != 3 {
		t.Errorf("%v, %v", tally, err)
	}
}

// TestTwoRunsInOneWriter: groups mix records of runs, and each record goes to its own
// run.
func TestTwoRunsInOneWriter(t *testing.T) {
	s := newStore(t)
	a, b := newRun(t, s, "a", "h"), newRun(t, s, "b", "h")
	w, err := s.Write(ctx, nil, a.N, b.N)
	must(t, err)
	for i := range int64(300) {
		must(t, w.Put(ctx, a.N, storetest.Typical(i)))
		if i%2 == 0 {
			must(t, w.Put(ctx, b.N, storetest.Failed(i, verbatim.Errored, 1)))
		}
	}
	must(t, w.Close())
	if na, nb := len(all(t, s, a.N, whole)), len(all(t, s, b.N, whole)); na != 300 || nb != 150 {
		t.Errorf("%d and %d records", na, nb)
	}
	wantTallies(t, s)
}

// TestWordsAreBounded: a server that has another name in every reply does not
// make the memory grow, and every name is saved.
func TestWordsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	var recs []verbatim.Record
	for i := range int64(3 * maxWords / 2) {
		rec := storetest.Typical(i)
		rec.Reply.Fingerprint = "fp-" + time.Duration(i).String()
		recs = append(recs, rec)
	}
	keep(t, s, run.N, recs...)
	for i, rec := range all(t, s, run.N, Read{}) {
		if want := "fp-" + time.Duration(i).String(); rec.Reply.Fingerprint != want {
			t.Fatalf("record %d: %q, want %q", i, rec.Reply.Fingerprint, want)
		}
	}
	m := map[int]int{}
	for i := range 3 * maxWords {
		putBounded(m, i, i)
	}
	if len(m) > maxWords {
		t.Errorf("%d words are remembered", len(m))
	}
}
