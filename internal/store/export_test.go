package store

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// export writes runs as lines; no runs means all.
func export(tb testing.TB, s *Store, runs ...int64) string {
	tb.Helper()
	if len(runs) == 0 {
		list, err := s.Runs(ctx)
		must(tb, err)
		for _, r := range list {
			runs = append(runs, r.N)
		}
	}
	var b bytes.Buffer
	must(tb, s.Export(ctx, &b, runs...))
	return b.String()
}

// TestExportImportExport: what is exported, imported elsewhere and exported again is
// the same byte for byte, whatever the two files hold in addition, and importing it
// twice changes nothing.
func TestExportImportExport(t *testing.T) {
	t.Parallel()
	from, to := newStore(t), newStore(t)
	n, recs, batches := 0, 0, 0
	trip := func(t *rapid.T) {
		var runs, copies []int64
		for range rapid.IntRange(0, 2).Draw(t, "runs") {
			n++
			run, _, err := from.Begin(ctx, verbatim.Run{
				Plan:  verbatim.Plan{Hash: fmt.Sprintf("%06x", n), Suite: storetest.Unicode().Draw(t, "suite"), Seed: rapid.Uint64().Draw(t, "seed")},
				Model: "m" + storetest.Unicode().Draw(t, "model"), Tool: storetest.Unicode().Draw(t, "tool"), Origin: storetest.Unicode().Draw(t, "origin"), Started: time.Unix(0, rapid.Int64().Draw(t, "started")).UTC(),
				Price: price().Draw(t, "price"), Test: hostileTest().Draw(t, "test"),
				Params: verbatim.Params{Temperature: storetest.Maybe(rapid.Float64Range(0, 2)).Draw(t, "temperature"), Seed: storetest.Maybe(rapid.Int64()).Draw(t, "seed"), Effort: storetest.Unicode().Draw(t, "effort")},
			}, true)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, run.N)
			recs += hostileKept(t, from, run)
			batches += hostileBatches(t, from, run)
		}
		before := exported(t, from, runs)
		for pass := range 2 {
			done, err := to.Import(ctx, strings.NewReader(before))
			if err != nil || len(done) != len(runs) {
				t.Fatal(len(done), err)
			}
			copies = nil
			for _, d := range done {
				copies = append(copies, d.Run.N)
				if d.New != (pass == 0) || pass == 1 && d.Saved != 0 {
					t.Fatalf("pass %d: %+v", pass, d)
				}
			}
			if after := exported(t, to, copies); after != before {
				t.Fatalf("pass %d\n%s\n%s", pass, before, after)
			}
		}
		if _, err := from.Import(ctx, strings.NewReader(before)); err != nil {
			t.Fatal(err)
		}
		if again := exported(t, from, runs); again != before {
			t.Fatalf("importing its own export changed the file\n%s\n%s", before, again)
		}
	}
	enough := func() bool { return n >= 10 && recs >= 20 && batches >= 10 }
	for round := 0; round == 0 || round < 5 && !enough(); round++ { // with -short few are drawn at a time
		rapid.Check(t, trip)
	}
	if !enough() {
		t.Fatalf("only %d runs with %d records and %d batches", n, recs, batches)
	}
	for _, s := range []*Store{from, to} {
		wantTallies(t, s)
		must(t, s.Check(ctx))
	}
}

// hostileTest draws tests for runs; some are nil.
func hostileTest() *rapid.Generator[*verbatim.Test] {
	return storetest.Maybe(rapid.Custom(func(t *rapid.T) verbatim.Test {
		return verbatim.Test{Kind: storetest.Unicode().Draw(t, "kind"), Baseline: storetest.Unicode().Draw(t, "against"), Settings: rapid.MapOfN(storetest.Unicode(), storetest.Unicode(), 0, 4).Draw(t, "settings")}
	}))
}

func price() *rapid.Generator[*verbatim.Price] {
	return storetest.Maybe(rapid.Custom(func(t *rapid.T) verbatim.Price {
		some := rapid.Map(storetest.Amounts(), func(m *verbatim.Money) verbatim.Money {
			if m == nil {
				return 0
			}
			return *m
		})
		return verbatim.Price{Input: some.Draw(t, "input"), Cached: storetest.Amounts().Draw(t, "cached"), Output: some.Draw(t, "output"), Request: some.Draw(t, "request"),
			Batch: storetest.Maybe(rapid.Float64Range(0, 1)).Draw(t, "batch"), Source: storetest.Unicode().Draw(t, "source"), AsOf: storetest.Unicode().Draw(t, "as of")}
	}))
}

// hostileBatches saves batches of a run and returns how many.
func hostileBatches(t *rapid.T, s *Store, run verbatim.Run) int {
	n := rapid.IntRange(0, 3).Draw(t, "batches")
	err := s.file.Update(ctx, func(c *sqlite.Conn) error {
		for i := range n {
			seqs := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, MaxSeq)), 1, 9, rapid.ID).Draw(t, "places")
			slices.Sort(seqs)
			b := Batch{Run: run.N, Key: fmt.Sprintf("%d-%d-%s", run.N, i, storetest.Unicode().Draw(t, "key")), ID: storetest.Unicode().Draw(t, "id"), Phase: rapid.SampledFrom(phases).Draw(t, "phase"),
				Positions: seqs, Raw: storetest.Unicode().Draw(t, "raw"), Intended: storetest.Instants().Draw(t, "intended"), Submitted: storetest.Instants().Draw(t, "submitted"), Ended: storetest.Instants().Draw(t, "ended")}
			if b.ID == "" {
				b.Phase = Intended
			}
			if err := b.Insert(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// hostileKept saves hostile records in a run, some graded twice, and returns how many.
func hostileKept(t *rapid.T, s *Store, run verbatim.Run) int {
	recs := storetest.HostileRun(t, run.Name)
	keepAll(t, s, run.N, recs)
	if rapid.Bool().Draw(t, "regrade") {
		g := storetest.Grades("text/2")
		_, err := s.Regrade(ctx, run.N, func(*verbatim.Item, string, verbatim.Finish) (verbatim.Grade, error) {
			return g.Draw(t, "second grade"), nil
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	if rapid.Bool().Draw(t, "end") {
		if _, err := s.End(ctx, run.N, 0, time.Unix(1900000000, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if verdict := storetest.Unicode().Draw(t, "verdict"); run.Test != nil && verdict != "" {
		if err := s.CloseTest(ctx, run.N, verdict, storetest.Unicode().Draw(t, "state"), storetest.Instants().Draw(t, "closed")); err != nil {
			t.Fatal(err)
		}
	}
	return len(recs)
}

func exported(t *rapid.T, s *Store, runs []int64) string {
	var b bytes.Buffer
	if err := s.Export(ctx, &b, runs...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func keepAll(t *rapid.T, s *Store, run int64, recs []verbatim.Record) {
	w, err := s.Write(ctx, nil, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range recs {
		if err := w.Put(ctx, run, rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// sample makes a file with one run of every kind of record.
func sample(t *testing.T) (*Store, verbatim.Run) {
	s := newStore(t)
	run := newRun(t, s, "sim:careful", "abcdef0123456789")
	broken := storetest.Typical(1)
	broken.Reply.Text = "half a character: \xc3"
	other := storetest.Typical(2)
	cost, most := verbatim.Money(123_456_789), verbatim.Money(1)
	other.Reply.Sent, other.Reply.Applied = fmt.Sprintf(`{"model":"m","max_tokens":%d}`, other.MaxTokens), `{"temperature":0}`
	other.Reply.Cost, other.Reply.Claimed = &cost, new(verbatim.Money(7))
	other.Prompt = verbatim.Prompt{{Role: "system", Content: []verbatim.Part{{Text: "Be brief."}}}, other.Prompt[0]}
	trial := storetest.Typical(2)
	trial.Seq, trial.Trial, trial.Prompt = 4, 1, other.Prompt
	score := storetest.Typical(5)
	score.Reply, score.Prompt = nil, nil
	image := storetest.Typical(6)
	it := *image.Item
	it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "what?"}, {Image: &verbatim.Image{Media: "image/png", Bytes: []byte("\x89PNG")}}}}}
	image.Item, image.Prompt = &it, it.Prompt
	fault := storetest.Failed(3, verbatim.Errored, 1, 2)
	fault.Failure.Attempts[1].Cost = &most
	image.Reply.Batch = "batch_1"
	keep(t, s, run.N, storetest.Typical(0), broken, other, fault, trial, score, image)
	_, err := s.Regrade(ctx, run.N, version("2", verbatim.Wrong), nil)
	must(t, err)
	return s, run
}

// TestFormatIsPinned holds the lines to the file that readers of the format
// have: change it together with docs/format-runs.md and the version in Format.
func TestFormatIsPinned(t *testing.T) {
	s := newStore(t)
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		_, err := addRun(ctx, c, 0, verbatim.Run{Plan: verbatim.Plan{Hash: "abcdef0123456789", Suite: "custom", Seed: 1, Edition: verbatim.Standard, Trials: 1, Count: 8},
			Model: "sim:careful", Started: time.Unix(1700000000, 0), Tool: "test",
			Price: &verbatim.Price{Input: 2 * verbatim.Dollar, Output: 8 * verbatim.Dollar, Source: "test", AsOf: "2026-09-23"},
			Test:  &verbatim.Test{Kind: "check", Baseline: "sim-careful-abcdef-9", Settings: map[string]string{"margin": "0.02", "alpha": "0.05"}}}, "0123456789abcdef0123456789abcdef")
		if err != nil {
			return err
		}
		for i, b := range []Batch{{Phase: collected, ID: "batch_1", Raw: "completed", Positions: []int64{6}}, {Phase: Intended, Positions: []int64{7, 8, 9, 11}}} {
			b.Run, b.Key, b.Intended = 1, fmt.Sprintf("key-%d", i+1), time.Unix(1700000000, int64(i))
			if err := b.Insert(c); err != nil {
				return err
			}
		}
		return nil
	}))
	from, run := sample(t)
	keep(t, s, 1, all(t, from, run.N, whole)...)
	_, err := s.Regrade(ctx, 1, version("3", verbatim.Wrapped), nil)
	must(t, err)
	must(t, s.CloseTest(ctx, 1, "pass", "", time.Unix(1700000100, 0)))
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
		return newInserter(c).chargeAttempts(positionKey(1, 9), []verbatim.Attempt{{N: 1, Start: time.Unix(1700000000, 9), Class: verbatim.Transport, Err: "the program ended", Cost: new(verbatim.Money(5e9))}})
	}))
	got := export(t, s)
	const golden = "testdata/export.jsonl"
	if os.Getenv("VERBATIM_UPDATE") != "" {
		must(t, os.MkdirAll("testdata", 0o777))
		must(t, os.WriteFile(golden, []byte(got), 0o666))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if got != string(want) {
		t.Errorf("the lines differ from %s; VERBATIM_UPDATE=1 writes it again:\n%s", golden, got)
	}
}
