package main

import (
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/wire"
)

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
