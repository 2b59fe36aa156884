package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/run"
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
						c := cell{testRun: h.testRun(3), faultOutcome: f.onWire(w.Name, stream), stream: stream}
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

// A faultOutcome is what becomes of every item under a fault that does not end.
type faultOutcome struct {
	fault    string
	outcome  verbatim.Outcome
	class    verbatim.Class // "" is an answer
	status   int
	attempts int
	wait     time.Duration // the least wait before each retry
	ends     bool          // no further request is sent: the endpoint serves none
	// partial says when the text that had arrived is saved with the attempt: never, if
	// it was streamed, or always.
	partial partial
	// stale: a connection that is reused may break before a byte of the reply came. It
	// may have been closed long before; so the request is sent again on another
	// connection, and this is saved as a part of the same attempt.
	stale bool
}

type partial int

const (
	nothing partial = iota
	inPieces
	always
)

// soon is the least that is waited where the server does not say how long.
const soon = 250 * time.Millisecond

// outcomes lists the fault kinds of the faulty server. On every wire, streamed or
// not, they end the same.
var outcomes = []faultOutcome{
	// Temporary failures are retried, no sooner than the server asks.
	{fault: "429", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: soon},
	{fault: "429,after=2", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: 2 * time.Second},
	{fault: "429,after=2,form=date", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: 2 * time.Second},
	{fault: "429,after=2.5,form=ms", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 3, wait: 2500 * time.Millisecond},
	{fault: "500", outcome: verbatim.Errored, class: verbatim.Overload, status: 500, attempts: 3, wait: soon},
	{fault: "502", outcome: verbatim.Errored, class: verbatim.Overload, status: 502, attempts: 3, wait: soon},
	{fault: "503", outcome: verbatim.Errored, class: verbatim.Overload, status: 503, attempts: 3, wait: soon},
	{fault: "503,after=3", outcome: verbatim.Errored, class: verbatim.Overload, status: 503, attempts: 3, wait: 3 * time.Second},
	{fault: "loading", outcome: verbatim.Errored, class: verbatim.Overload, status: 503, attempts: 3, wait: soon},
	{fault: "529", outcome: verbatim.Errored, class: verbatim.Overload, status: 529, attempts: 3, wait: soon},
	{fault: "reset", outcome: verbatim.Errored, class: verbatim.Transport, attempts: 3, wait: soon, stale: true},
	{fault: "hangup", outcome: verbatim.Errored, class: verbatim.Transport, attempts: 3, wait: soon, stale: true},
	{fault: "error200", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon},
	{fault: "numeric", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon},
	{fault: "midway", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon, partial: inPieces},
	{fault: "finish,word=network_error", outcome: verbatim.Errored, class: verbatim.Overload, status: 200, attempts: 3, wait: soon, partial: always},

	// An answer that is not whole counts as missing, and the part that arrived is saved with the attempt.
	{fault: "empty", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon},
	{fault: "unended", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: always},
	{fault: "undone", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: always},
	{fault: "unfinished", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: always},
	{fault: "cut,at=0.9", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: inPieces},
	{fault: "cut,at=20", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon},
	{fault: "cut,at=0.9,end=short", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: inPieces},
	{fault: "cut,at=0.9,end=reset", outcome: verbatim.CutOff, class: verbatim.Cut, status: 200, attempts: 3, wait: soon, partial: inPieces},

	// A request that one of our own limits ended is not retried: it took its full time.
	{fault: "stall", outcome: verbatim.Errored, class: verbatim.Deadline, attempts: 1},
	{fault: "stall,at=0.7", outcome: verbatim.Errored, class: verbatim.Deadline, status: 200, attempts: 1, partial: inPieces},
	{fault: "murmur", outcome: verbatim.Errored, class: verbatim.Deadline, status: 200, attempts: 1},

	// The server would refuse the same request again.
	{fault: "400", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 400, attempts: 1},
	{fault: "context", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 400, attempts: 1},
	{fault: "404", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 404, attempts: 1},
	{fault: "422", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 422, attempts: 1},
	{fault: "page", outcome: verbatim.Errored, class: verbatim.BadAsk, status: 200, attempts: 1},

	// The endpoint serves nothing any more: it gets no further requests.
	{fault: "429,after=600", outcome: verbatim.Errored, class: verbatim.Rate, status: 429, attempts: 1, ends: true},
	{fault: "quota", outcome: verbatim.Errored, class: verbatim.Quota, status: 429, attempts: 1, ends: true},
	{fault: "401", outcome: verbatim.Errored, class: verbatim.Auth, status: 401, attempts: 1, ends: true},
	{fault: "403", outcome: verbatim.Errored, class: verbatim.Auth, status: 403, attempts: 1, ends: true},

	// An answer whose content was changed is an answer, and never the right one.
	{fault: "mojibake", outcome: verbatim.Wrong, status: 200, attempts: 1},
	{fault: "not-utf8", outcome: verbatim.Wrong, status: 200, attempts: 1},
	{fault: "length,at=0.25", outcome: verbatim.Truncated, status: 200, attempts: 1},
	{fault: "filter", outcome: verbatim.Refused, status: 200, attempts: 1},
	{fault: "refusal", outcome: verbatim.Refused, status: 200, attempts: 1},

	// A right answer in an odd form is right.
	{fault: "stall,at=0.5,for=3", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "trickle,every=1ms", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "split", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "clump", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "crlf", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "comments", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "unknown", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "bom", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "error-null", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-missing", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-null", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-zero", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-twice", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "usage-huge", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "closes", outcome: verbatim.Pass, status: 200, attempts: 1},
	{fault: "shorten", outcome: verbatim.Pass, status: 200, attempts: 1}, // the prompts are short
}

// onWire returns the outcome on a wire. Ollama's errors are texts without a code, and
// it has no name for a filter: a rate limit that says "quota" is one like any other,
// and what a filter has left of an answer is an empty answer. A document without a finish reason, and a
// stream with its end marker and without one, are not sent again: nothing broke.
func (f faultOutcome) onWire(wire string, stream bool) faultOutcome {
	switch {
	case stream && f.fault == "unfinished" && wire != "gemini" && wire != "responses", !stream && wire != "ollama" && slices.Contains([]string{"unended", "undone", "unfinished"}, f.fault):
		f.outcome, f.class, f.attempts, f.wait = verbatim.Errored, verbatim.Content, 1, 0
	case wire == "ollama" && f.fault == "quota":
		f.class, f.attempts, f.wait, f.ends = verbatim.Rate, 3, soon, false
	case wire == "ollama" && f.fault == "filter":
		f.outcome = verbatim.Wrong
	}
	return f
}

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

// Where three requests in ten fail, every item gets an answer in the end, and the
// retries and their waits are saved.
func TestThreeInTenFail(t *testing.T) {
	t.Parallel()
	for _, w := range wire.Protocols() {
		t.Run(w.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, leave := newHarness(t, w.Name, true)
				defer leave()
				e := h.testRun(100)
				server := h.serve(fake.Config{Item: e.index.Item, Faults: faultsOf(t, "500:0.3"), Seed: 3, Pace: fake.Pace{Latency: 100 * time.Millisecond}})
				calls := 0
				for calls = 1; !e.ask(nil).Finished; calls++ {
					if calls == 10 {
						t.Fatal("the run does not finish")
					}
				}
				sent, waits := int64(0), time.Duration(0)
				for seq, rec := range e.records() {
					attempts := attemptsOf(rec)
					sent += int64(len(attempts))
					for i, a := range attempts {
						waits += a.Wait
						if failed := i < len(attempts)-1; a.N != i+1 || failed != (a.Class == verbatim.Overload) {
							t.Errorf("position %d, attempt %d: %+v", seq, i+1, a)
						}
					}
					if rec.Outcome != verbatim.Pass {
						t.Errorf("position %d: %s", seq, rec.Outcome)
					}
				}
				c := server.Counts()
				if sent != c.Requests || c.Twice != 0 || c.Answered != 100 || c.Faults["500"] < 15 || waits < time.Duration(c.Faults["500"]/2)*soon {
					t.Errorf("%d attempts are saved, with waits of %v; the server counts %+v", sent, waits, c)
				}
				t.Logf("%d requests in %d calls", c.Requests, calls)
			})
		})
	}
}

// All wrong answers of a server are graded wrong, whatever else fails, and failures are
// not graded wrong.
func TestWrongIsNotAnOutage(t *testing.T) {
	t.Parallel()
	for _, w := range wire.Protocols() {
		synctest.Test(t, func(t *testing.T) {
			h, leave := newHarness(t, w.Name, false)
			defer leave()
			for _, wrong := range []float64{0, 0.25, 1} {
				e := h.testRun(80)
				h.serve(fake.Config{Item: e.index.Item, Wrong: wrong, Faults: faultsOf(t, "503:0.5,tries=1 cut:0.3,tries=1"), Seed: 5})
				if r := e.ask(nil); !r.Finished {
					t.Errorf("%s, %v wrong: %+v", w.Name, wrong, r)
				}
				passed := 0
				for _, rec := range e.records() {
					if !rec.Outcome.Answered() {
						t.Errorf("%s, %v wrong: %s", w.Name, wrong, rec.Outcome)
					}
					if rec.Reply.Reasoning != "" {
						continue // a spoilt answer is what follows its reasoning, and right
					}
					if right := rec.Reply.Text == rec.Item.Want.Text; right != (rec.Outcome == verbatim.Pass) {
						t.Errorf("%s: %q for %q is %s", w.Name, rec.Reply.Text, rec.Item.Want.Text, rec.Outcome)
					}
					if rec.Outcome == verbatim.Pass {
						passed++
					}
				}
				if most, least := int(80*(1-wrong)+15), int(80*(1-wrong)-15); passed > most || passed < least || wrong == 1 && passed > 0 || wrong == 0 && passed < 80 {
					t.Errorf("%s, %v wrong: %d of 80 pass", w.Name, wrong, passed)
				}
			}
		})
	}
}
