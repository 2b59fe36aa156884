package main

import (
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"verbatim/internal/fake"
)

// batchWires are the wires whose providers take batches, with the path of their
// base URL.
var batchWires = []struct{ wire, path string }{{"chat", "/v1"}, {"responses", "/v1"}, {"anthropic", "/v1"}, {"gemini", ""}}

// TestKillBatches kills a run in batches at every request that it makes to the
// provider, before the provider has read it, while it works on it and after, and
// continues it: every item is handed over and paid for exactly once.
func TestKillBatches(t *testing.T) {
	long(t)
	t.Parallel()
	const items = 20
	program := build(t)
	asked := reversals(t, items)
	total := 0
	for _, w := range batchWires {
		t.Run(w.wire, func(t *testing.T) {
			for _, at := range []moment{before, meanwhile, after} {
				for call := 1; ; call++ {
					if testing.Short() && (call+int(at))%3 > 0 && call < 10 {
						continue
					}
					server := batching(t, fake.Batch{})
					trap := &trap{Handler: server}
					http := httptest.NewServer(trap)
					v := batched(program, filepath.Join(t.TempDir(), "batch.db"), w.wire+"+"+http.URL+w.path, items)
					trap.arm(call, at)
					book := &ledger{v.db(), map[string]bool{}}
					end := v.run(t, trap)
					book.note(end)
					book.check(t)
					if end.code < 0 {
						total++
						finish(t, v, book, server, asked)
					}
					wantHandedOverOnce(t, fmt.Sprintf("killed at call %d, moment %d", call, at), server, items)
					http.Close()
					if end.code >= 0 || t.Failed() {
						break
					}
				}
			}
		})
	}
	if t.Logf("%d kills", total); total < 25 && !testing.Short() {
		t.Errorf("only %d kills", total)
	}
}

// A provider is busy, loses replies and fails at requests, and the program is killed
// again and again: no answered request is paid for twice.
func TestKillBatchesUnderFaults(t *testing.T) {
	long(t)
	t.Parallel()
	const items = 60
	program := build(t)
	asked := reversals(t, items)
	for n, w := range batchWires {
		t.Run(w.wire, func(t *testing.T) {
			server := batching(t, fake.Batch{Lost: 0.3, Busy: 0.2, Failed: 0.1})
			trap := &trap{Handler: server}
			http := httptest.NewServer(trap)
			defer http.Close()
			v := batched(program, filepath.Join(t.TempDir(), "batch.db"), w.wire+"+"+http.URL+w.path, items)
			book := &ledger{v.db(), map[string]bool{}}
			for i := range kills(t, 8) {
				trap.arm(1+(i+n)%5, moment(i%3))
				answered := answers(server, asked)
				end := v.run(t, trap)
				wantSavedAlone(t, server, asked, book.saved, answered)
				book.note(end)
				book.check(t)
				if end.code == 0 {
					break
				}
			}
			finish(t, v, book, server, asked)
			if c := server.Counts(); c.Twice != 0 {
				t.Errorf("%d items were paid for twice", c.Twice)
			}
		})
	}
}

// batching returns a batch server that knows the items of the run.
func batching(t *testing.T, b fake.Batch) *fake.Server {
	t.Helper()
	index := &fake.Index{}
	for _, it := range reversals(t, 60) {
		index.Add(it.Prompt, &it)
	}
	s, err := fake.New(fake.Config{Item: index.Item, Batch: b})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func batched(program, db, model string, items int) victim {
	return victim{program: program, args: []string{"run", "--db", db, "--model", model + "#m", "--batch", "--json", "--quiet",
		"--task", "reverse", "--length", "12", "--items", fmt.Sprint(items)}}
}

// db returns the name of the database.
func (v victim) db() string { return v.args[2] }

// wantHandedOverOnce fails where an item was in several batches, or in none.
func wantHandedOverOnce(t *testing.T, when string, s *fake.Server, items int) {
	t.Helper()
	if c := s.Counts(); c.Requests != int64(items) || c.Prompts != int64(items) {
		t.Errorf("%s: %d items were handed over %d times", when, c.Prompts, c.Requests)
	}
}
