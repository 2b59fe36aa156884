package store

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"

	"verbatim/internal/store/storetest"
)

// batched is the record of an answer that came in a batch.
func batched(seq int64, id string) verbatim.Record {
	rec := storetest.Typical(seq)
	rec.Reply.Batch = id
	return rec
}

// afterKill opens the database that a kill at this moment would leave: a copy of the
// file and its log, without the process that writes them.
func afterKill(t *testing.T, s *Store) *Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "killed.db")
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(s.file.Path() + suffix)
		must(t, err)
		must(t, os.WriteFile(path+suffix, b, 0o666))
	}
	return create(t, path)
}

// TestBatchSurvivesAKill follows a batch through its life, and looks after each
// step at what a kill would have left.
func TestBatchSurvivesAKill(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	keep(t, s, run.N, storetest.Typical(0), storetest.Failed(3, verbatim.Errored, 1))
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	defer w.Close()

	expect := func(phase Phase, id, raw string, out ...int64) {
		t.Helper()
		dead := afterKill(t, s)
		list, err := dead.Batches(ctx, run.N)
		must(t, err)
		if len(list) != 1 || list[0].Phase != phase || list[0].ID != id || list[0].Raw != raw || !slices.Equal(list[0].Positions, []int64{2, 3, 4, 9}) {
			t.Fatalf("%+v, want %s, id %q, raw %q", list, phase, id, raw)
		}
		if list[0].Intended.IsZero() || list[0].Submitted.IsZero() != (id == "") || list[0].Ended.IsZero() != (phase != collected) {
			t.Errorf("%s: %+v", phase, list[0])
		}
		positions, err := dead.Positions(ctx, run.N)
		must(t, err)
		for seq := int64(-1); seq < 12; seq++ {
			if positions.Pending(seq) != slices.Contains(out, seq) {
				t.Errorf("%s: position %d: Out %v", phase, seq, positions.Pending(seq))
			}
		}
		runs, err := dead.Runs(ctx)
		must(t, err)
		if want := phase != collected; (runs[0].Out == 4) != want {
			t.Errorf("%s: %d positions are in submitted batches", phase, runs[0].Out)
		}
		if ended, err := dead.End(ctx, run.N, 0, time.Now()); err != nil || ended != (phase == collected) {
			t.Errorf("%s: ended %v, %v", phase, ended, err)
		}
	}
	b, err := w.BeginBatch(ctx, run.N, []int64{9, 2, 3, 4}, AnyTokens)
	must(t, err)
	if len(b.Key) != 32 || b.Run != run.N {
		t.Errorf("%+v", b)
	}
	expect(Intended, "", "", 2, 3, 4, 9)
	must(t, w.SetBatchID(ctx, b, "batch_1"))
	expect(Submitted, "batch_1", "", 2, 3, 4, 9)
	must(t, w.SetBatchID(ctx, b, "batch_1")) // found again
	must(t, w.SetBatchStatus(ctx, b, "in_progress"))
	expect(Submitted, "batch_1", "in_progress", 2, 3, 4, 9)
	for _, seq := range []int64{9, 2} {
		must(t, w.Put(ctx, run.N, batched(seq, "batch_1")))
	}
	must(t, w.waitCommitted(ctx))
	expect(Submitted, "batch_1", "in_progress", 3, 4) // killed between: the rest is still to come
	if err := w.FinishBatch(ctx, b, "completed"); err == nil || !strings.Contains(err.Error(), "1 of the positions 2 to 4") {
		t.Errorf("collected before all records are saved: %v", err)
	}
	expect(Submitted, "batch_1", "in_progress", 3, 4)
	must(t, w.Put(ctx, run.N, batched(3, "batch_1")))
	must(t, w.Put(ctx, run.N, batched(4, "batch_1")))
	must(t, w.FinishBatch(ctx, b, "completed"))
	expect(collected, "batch_1", "completed")
	must(t, w.Close())
	got := all(t, s, run.N, whole)
	if len(got) != 5 || got[1].Reply.Batch != "batch_1" || got[0].Reply.Batch != "" {
		t.Errorf("%d records, the second %+v", len(got), got[1].Reply)
	}
	wantTallies(t, s)
}

// TestCollectedWaits: what was put before is committed before a batch counts as
// collected, also while the writer is busy.
func TestCollectedWaits(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "h")
	stuck, let := make(chan struct{}), make(chan struct{})
	var once sync.Once
	w, err := s.Write(ctx, func([]Saved) { once.Do(func() { close(stuck); <-let }) }, run.N)
	must(t, err)
	b, err := w.BeginBatch(ctx, run.N, []int64{1, 2}, AnyTokens)
	must(t, err)
	must(t, w.SetBatchID(ctx, b, "batch_1"))
	must(t, w.Put(ctx, run.N, storetest.Typical(0)))
	<-stuck // what is put from here on waits
	must(t, w.Put(ctx, run.N, batched(1, "batch_1")))
	must(t, w.Put(ctx, run.N, batched(2, "batch_1")))
	done := make(chan error)
	go func() { done <- w.FinishBatch(ctx, b, "completed") }()
	close(let)
	must(t, <-done)
	must(t, w.Close())
}

func TestBatchRefuses(t *testing.T) {
	s := newStore(t)
	run, other := newRun(t, s, "m", "h"), newRun(t, s, "n", "h")
	keep(t, s, run.N, storetest.Typical(5), storetest.Failed(6, verbatim.Errored, 1))
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	first, err := w.BeginBatch(ctx, run.N, []int64{1, 2, 3}, AnyTokens)
	must(t, err)
	for name, positions := range map[string][]int64{
		"none": nil, "twice": {7, 8, 7}, "below 0": {-1}, "above all": {MaxSeq + 1}, "out": {3, 4}, "answered": {4, 5, 6}, "too many": make([]int64, maxBatch+1),
	} {
		if _, err := w.BeginBatch(ctx, run.N, positions, AnyTokens); err == nil {
			t.Errorf("%s: intended", name)
		}
	}
	if _, err := w.BeginBatch(ctx, other.N, []int64{1}, AnyTokens); err == nil {
		t.Error("a batch of a run that is not claimed was intended")
	}
	if err := w.FinishBatch(ctx, first, ""); err == nil {
		t.Error("a batch was collected that was never submitted")
	}
	if err := w.SetBatchID(ctx, first, ""); err == nil {
		t.Error("a batch was submitted without an id")
	}
	must(t, w.SetBatchID(ctx, first, "batch_1"))
	if err := w.SetBatchID(ctx, first, "batch_2"); err == nil {
		t.Error("a batch has two ids")
	}
	if err := w.SetBatchID(ctx, Batch{Run: run.N, Key: "x"}, "batch_1"); err == nil {
		t.Error("a batch was submitted that is not there")
	}
	must(t, w.AbandonBatch(ctx, first, "expired"))
	for name, err := range map[string]error{"submitted": w.SetBatchID(ctx, first, "batch_1"), "seen": w.SetBatchStatus(ctx, first, "x"),
		"collected": w.FinishBatch(ctx, first, ""), "abandoned": w.AbandonBatch(ctx, first, "")} {
		if err == nil || !strings.Contains(err.Error(), "abandoned") {
			t.Errorf("%s after it was abandoned: %v", name, err)
		}
	}
	again, err := w.BeginBatch(ctx, run.N, []int64{1, 2, 3, 6}, AnyTokens) // they are free again
	must(t, err)
	if n := count(t, s, `SELECT count(*) FROM batch`); n != 2 {
		t.Errorf("%d batches, want 2", n)
	}
	must(t, w.Close())
	if err := w.SetBatchID(ctx, again, "batch_3"); err == nil {
		t.Error("a closed writer accepts a batch")
	}
}

// TestImportBatches: an import moves the state of a batch forward, and never back.
func TestImportBatches(t *testing.T) {
	s, to := newStore(t), newStore(t)
	run := newRun(t, s, "m", "h")
	w, err := s.Write(ctx, nil, run.N)
	must(t, err)
	var texts []string
	say := func() { texts = append(texts, export(t, s)) }
	say()
	b, err := w.BeginBatch(ctx, run.N, []int64{0, 1}, AnyTokens)
	must(t, err)
	say()
	must(t, w.SetBatchID(ctx, b, "batch_1"))
	say()
	must(t, w.Put(ctx, run.N, batched(0, "batch_1")))
	must(t, w.Put(ctx, run.N, batched(1, "batch_1")))
	must(t, w.FinishBatch(ctx, b, "completed"))
	say()
	must(t, w.Close())
	for i, text := range texts {
		for _, older := range texts[:i+1] {
			_, err := to.Import(ctx, strings.NewReader(text))
			must(t, err)
			_, err = to.Import(ctx, strings.NewReader(older))
			must(t, err)
			if got := export(t, to); got != text {
				t.Fatalf("step %d\n%s\nwant\n%s", i, got, text)
			}
		}
	}
	last := texts[len(texts)-1]
	for name, change := range map[string][2]string{
		"no key":         {`"key":"` + b.Key, `"key":"`},
		"unknown state":  {`"state":"collected"`, `"state":"odd"`},
		"no id":          {`"id":"batch_1",`, ``},
		"no places":      {`"positions":"0-1"`, `"positions":""`},
		"other places":   {`"positions":"0-1"`, `"positions":"0-2"`},
		"falling places": {`"positions":"0-1"`, `"positions":"1,0"`},
		"endless places": {`"positions":"0-1"`, `"positions":"0-4294967295"`},
	} {
		bad := strings.Replace(last, change[0], change[1], 1)
		if bad == last {
			t.Fatalf("%s: nothing to change", name)
		}
		if _, err := to.Import(ctx, strings.NewReader(bad)); err == nil {
			t.Errorf("%s: imported", name)
		}
	}
	if got := export(t, to); got != last {
		t.Error("a refused import has changed the file")
	}
}

func TestRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positions := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int64Range(0, 30), rapid.Int64Range(0, MaxSeq)), 1, 40, rapid.ID).Draw(t, "places")
		slices.Sort(positions)
		got, err := parseRanges(formatRanges(positions))
		if err != nil || !slices.Equal(got, positions) {
			t.Fatal(got, err)
		}
	})
	for _, s := range []string{"", ",", "1,", "-1", "1-", "2-1", "1-1", "01", "+1", " 1", "1,1", "1,2", "1-2,3", "3,1", "4294967296", "0-1048576", "x", "1--2"} {
		if got, err := parseRanges(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
	if got, err := parseRanges("0-1048575"); err != nil || len(got) != maxBatch {
		t.Error(len(got), err)
	}
}
