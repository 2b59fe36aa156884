package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"

	"verbatim/internal/wire"
)

// TestFaultMatrix meets every fault of the faulty server on every wire, streamed and
// not, with the whole program but its command line. While the fault lasts every item
// has the outcome of the table, and every attempt is saved. When it is over the same
// run continues, sends each item without an answer once more and nothing else, and
// finishes. Time is virtual; what takes long takes hours.
func TestFaultMatrix(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	for _, f := range outcomes {
		met[faultsOf(t, f.fault)[0].Kind] = true
	}
	for _, k := range fake.FaultKinds() {
		if !met[k.Name] {
			t.Errorf("no outcome is known of the fault %s", k.Name)
		}
	}
	wires := wire.Protocols()
	if len(wires) < 3 {
		t.Fatalf("only %d wires", len(wires))
	}
	for i, w := range wires {
		for _, stream := range []bool{false, true} {
			if !exhaustive() && (i > 1 || stream != (i == 0)) {
				continue // scripts/check has every wire, with and without a stream
			}
			t.Run(fmt.Sprintf("%s/stream=%v", w.Name, stream), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h, leave := newHarness(t, w.Name, stream)
					defer leave()
					for _, f := range outcomes {
						c := cell{testRun: h.testRun(3), faultOutcome: f.onWire(w.Name), stream: stream}
						c.runUnderFault()
						c.recover()
						if c.attempts > 1 {
							c.testRun = h.testRun(2)
							c.tryAgain()
						}
					}
				})
			})
		}
	}
}

// A cell is a fault on a wire, streamed or not.
type cell struct {
	*testRun
	faultOutcome
	stream bool
}

func (c *cell) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("%s: "+format, append([]any{c.fault}, args...)...)
}

// runUnderFault runs the items while the fault lasts.
func (c *cell) runUnderFault() {
	server := c.serve(fake.Config{Item: c.index.Item, Faults: faultsOf(c.t, c.fault)})
	start := time.Now()
	result := c.ask(nil)
	if took := time.Since(start); took > 10*time.Minute {
		c.errorf("it took %v", took)
	}
	answered := c.class == ""
	if result.Finished != answered || (result.Err != nil) != c.ends {
		c.errorf("finished %v, error %v", result.Finished, result.Err)
	}
	saved := c.records()
	if len(saved) == 0 || !c.ends && len(saved) != len(c.items) {
		c.errorf("%d of %d items are saved", len(saved), len(c.items))
	}
	for seq, it := range c.items {
		rec, there := saved[int64(seq)]
		asked, whole := server.Asked(it.Prompt)
		attempts := attemptsOf(rec)
		if n := len(newAttempts(attempts)); asked < n || asked > n && !c.stale || asked > len(attempts) {
			c.errorf("item %d was asked %d times, and %d tries are kept", seq, asked, len(attempts))
		}
		if whole > 1 || answered && whole != 1 {
			c.errorf("item %d was answered %d times", seq, whole)
		}
		switch {
		case !there:
		case c.ends && rec.Outcome == verbatim.Skipped && asked == 0:
		default:
			c.check(it, rec, newAttempts(attempts))
		}
	}
}

// check compares what is saved of an item with its outcome.
func (c *cell) check(it verbatim.Item, rec verbatim.Record, attempts []verbatim.Attempt) {
	if rec.Outcome != c.outcome || len(attempts) != c.attempts {
		c.errorf("outcome %s after %d tries, want %s after %d", rec.Outcome, len(attempts), c.outcome, c.attempts)
		return
	}
	if (rec.Failure != nil) != (c.class != "") || rec.Failure != nil && (rec.Failure.Class != c.class || rec.Failure.Status != c.status) {
		c.errorf("failure %+v", rec.Failure)
	}
	for i, a := range attempts {
		if a.N != i+1 || a.Class != c.class || a.Status != c.status || (a.Err != "") != (c.class != "") {
			c.errorf("try %d: %+v", i+1, a)
		}
		if i == 0 && a.Wait != 0 || i > 0 && (a.Wait < c.wait || a.Wait > 5*time.Minute) {
			c.errorf("try %d came after a wait of %v, want %v or more", i+1, a.Wait, c.wait)
		}
		if i > 0 && a.Start.Sub(attempts[i-1].Start) < a.Wait {
			c.errorf("try %d began %v after the one before, which its wait of %v does not fit", i+1, a.Start.Sub(attempts[i-1].Start), a.Wait)
		}
		if part := c.partial == always || c.partial == inPieces && c.stream; (a.Partial != "") != part || !strings.HasPrefix(it.Want.Text, a.Partial) {
			c.errorf("of try %d %q is kept, of %q", i+1, a.Partial, it.Want.Text)
		}
		// A request that the server refused explicitly is not billed. An answer whose
		// token counts are missing or impossible may have the worst-case cost.
		if billed := c.class != "" && a.Status < 300 || rec.Reply != nil && rec.Reply.Cost == nil; (a.Cost != nil) != billed {
			c.errorf("try %d may have cost %v", i+1, a.Cost)
		}
	}
}

// recover continues the run when the fault is over.
func (c *cell) recover() {
	before := c.records()
	server := c.serve(fake.Config{Item: c.index.Item})
	result := c.ask(nil)
	if !result.Finished || result.Err != nil {
		c.errorf("afterwards: finished %v, error %v", result.Finished, result.Err)
	}
	saved := c.records()
	for seq, it := range c.items {
		was, rec := before[int64(seq)], saved[int64(seq)]
		asked, _ := server.Asked(it.Prompt)
		if was.Outcome.Answered() {
			if asked != 0 || rec.Reply == nil || rec.Reply.Text != was.Reply.Text || rec.Outcome != was.Outcome {
				c.errorf("item %d has an answer and was asked again", seq)
			}
			continue
		}
		attempts := attemptsOf(rec)
		if asked != 1 || rec.Outcome != verbatim.Pass {
			c.errorf("afterwards item %d was asked %d times and is %s", seq, asked, rec.Outcome)
		}
		n := len(newAttempts(attemptsOf(was)))
		if all := newAttempts(attempts); len(all) != n+1 || all[n].N != n+1 {
			c.errorf("of item %d, which was tried %d times before, %d tries are kept: %+v", seq, n, len(all), attempts)
		}
	}
	requests := server.Counts().Requests
	if again := c.ask(nil); !again.Finished || server.Counts().Requests != requests {
		c.errorf("a finished run was asked again")
	}
}

// tryAgain runs items of which only the first attempt meets the fault.
func (c *cell) tryAgain() {
	faults := faultsOf(c.t, c.fault)
	faults[0].Attempts = 1
	server := c.serve(fake.Config{Item: c.index.Item, Faults: faults})
	if result := c.ask(nil); !result.Finished || result.Err != nil {
		c.errorf("a second try: finished %v, error %v", result.Finished, result.Err)
	}
	for seq, rec := range c.records() {
		attempts := attemptsOf(rec)
		if c.stale && len(newAttempts(attempts)) == 1 && rec.Outcome == verbatim.Pass {
			continue
		}
		if rec.Outcome != verbatim.Pass || len(attempts) != 2 || attempts[0].Class != c.class || attempts[1].Class != "" || attempts[1].Wait < c.wait {
			c.errorf("a second try of item %d: %s, %+v", seq, rec.Outcome, attempts)
		}
	}
	if n := server.Counts().Requests; n != int64(2*len(c.items)) {
		c.errorf("a second try: %d requests for %d items", n, len(c.items))
	}
}

func faultsOf(t *testing.T, text string) []fake.Fault {
	t.Helper()
	f, err := fake.ParseFaults(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
