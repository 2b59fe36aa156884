package sentinel

import (
	"slices"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/verdict/preflight"
)

// TestContractCalls: a test of contracts sends calls of the watched contracts only, a second call
// of each that looks broken, and counts them. Its progress may be read while it runs.
func TestContractCalls(t *testing.T) {
	calls := preflight.Calls(preflight.Config{Wire: "chat", Seed: 1})
	for _, c := range []struct {
		name    string
		text    func(call *preflight.Call) string
		verdict string
		sent    int
	}{
		{"the right answers", func(call *preflight.Call) string { return call.Item.Want.Text }, "held: system prompt; broken: token limit, stop sequence", 6},
		{"other texts", func(*preflight.Call) string { return "something else" }, noContract, 4},
	} {
		test := NewContractTest(preflight.Config{Wire: "chat", Seed: 1})
		var reader sync.WaitGroup
		stop := make(chan struct{})
		reader.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					test.Progress()
				}
			}
		})
		sent := 0
		for done := []verbatim.Record(nil); ; sent++ {
			requests, err := test.Next(done)
			if err != nil || len(requests) > 1 {
				t.Fatalf("%s: %d requests, %v", c.name, len(requests), err)
			}
			if ended, all := test.Progress(); ended != sent || all != MaxContractCalls {
				t.Errorf("%s: %d of %d after %d calls", c.name, ended, all, sent)
			}
			done = nil
			for _, r := range requests {
				call := &calls[r.Seq]
				if !slices.Contains(watched(), call.Contract) || r.Item.ID != call.Item.ID {
					t.Errorf("%s: call %s of %s at position %d", c.name, r.Item.ID, call.Contract, r.Seq)
				}
				done = append(done, verbatim.Record{Seq: r.Seq, Outcome: verbatim.Pass, Reply: &verbatim.Reply{Text: c.text(call), Finish: verbatim.FinishStop}})
			}
			if requests == nil {
				break
			}
			if test.Verdict() != "" {
				t.Errorf("%s: %q before the end", c.name, test.Verdict())
			}
		}
		close(stop)
		reader.Wait()
		if sent != c.sent || test.Verdict() != c.verdict {
			t.Errorf("%s: %q after %d calls, want %q after %d", c.name, test.Verdict(), sent, c.verdict, c.sent)
		}
	}
}
