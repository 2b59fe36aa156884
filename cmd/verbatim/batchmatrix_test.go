package main

import (
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/run"
	"verbatim/internal/wire"
)

// TestBatchMatrix meets the faults of the batch APIs on every wire that has one. A
// request that a batch did not answer is sent again in the next batch. A request that
// it answered is never paid for again, and nothing is handed over twice.
func TestBatchMatrix(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		batch   fake.Batch
		outcome verbatim.Outcome // of every item; "" where none is saved
		ends    bool             // the call, with an error
		handed  int              // how often each item was handed over
	}{
		{name: "well", outcome: verbatim.Pass, handed: 1},
		{name: "slow", batch: fake.Batch{Time: 20 * time.Minute}, outcome: verbatim.Pass, handed: 1},
		{name: "failed", batch: fake.Batch{Failed: 1}, outcome: verbatim.Errored, handed: 1},
		{name: "expired", batch: fake.Batch{Expired: 1, Time: time.Minute}, outcome: verbatim.Errored, handed: 1},
		{name: "busy", batch: fake.Batch{Busy: 1}, ends: true},
	}
	met := 0
	for _, w := range wire.Protocols() {
		synctest.Test(t, func(t *testing.T) {
			h, leave := newHarness(t, w.Name, true)
			defer leave()
			b, ok := h.model.Model.(verbatim.Batcher)
			if !ok {
				return
			}
			met++
			for _, c := range cases {
				e := h.testRun(5)
				server := h.serve(fake.Config{Item: e.index.Item, Batch: c.batch})
				result := e.ask(&run.Batching{Model: b, Submit: true})
				if (result.Err != nil) != c.ends || result.Finished != (c.outcome == verbatim.Pass) {
					t.Errorf("%s, %s: finished %v, error %v", w.Name, c.name, result.Finished, result.Err)
				}
				saved := e.records()
				for seq, it := range e.items {
					rec, there := saved[int64(seq)]
					if asked, _ := server.Asked(it.Prompt); asked != c.handed && w.Name != "gemini" || asked > 1 {
						t.Errorf("%s, %s: item %d was handed over %d times", w.Name, c.name, seq, asked)
					}
					if there != (c.outcome != "") || there && rec.Outcome != c.outcome {
						t.Errorf("%s, %s: item %d is %s: %v", w.Name, c.name, seq, rec.Outcome, rec.Failure)
					}
					if attempts := attemptsOf(rec); there && len(attempts) != 1 {
						t.Errorf("%s, %s: item %d has %d attempts", w.Name, c.name, seq, len(attempts))
					}
				}
				server = h.serve(fake.Config{Item: e.index.Item})
				if result := e.ask(&run.Batching{Model: b, Submit: true}); !result.Finished || result.Err != nil {
					t.Errorf("%s, %s, afterwards: %+v", w.Name, c.name, result)
				}
				for seq, rec := range e.records() {
					asked, _ := server.Asked(e.items[seq].Prompt)
					if again := c.outcome != verbatim.Pass; rec.Outcome != verbatim.Pass || again != (asked == 1) {
						t.Errorf("%s, %s, afterwards: item %d is %s and was sent %d times", w.Name, c.name, seq, rec.Outcome, asked)
					}
				}
			}
		})
	}
	if met < 4 {
		t.Errorf("only %d wires take batches", met)
	}
}
