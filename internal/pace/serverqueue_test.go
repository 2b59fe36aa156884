package pace

import (
	"context"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// blocked is a model that answers one request for each value of let.
type blocked struct{ let chan struct{} }

func (b blocked) Ask(_ context.Context, _ *verbatim.Request, reply *verbatim.Reply) error {
	<-b.let
	*reply = verbatim.Reply{Text: "a"}
	return nil
}

// TestServerQueue: a tuned concurrency is lowered by what waits at the server, at most by
// half at a time and never below 1; one that is fixed is not.
func TestServerQueue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		adaptive             bool
		waiting, first, then int // the limit after one and after three observations
	}{
		{true, 0, openMax, openMax},
		{true, 3, openMax - 3, openMax - 3},
		{true, 100, openMax / 2, openMax / 2}, // as many as before are in flight
		{false, 100, 16, 16},
	} {
		p := New(Config{Concurrency: 16, Adaptive: c.adaptive})
		b := blocked{make(chan struct{})}
		m := p.Wrap(b)
		done := make(chan error, openMax)
		for range openMax {
			go func() {
				_, err := recordtest.Ask(context.Background(), m, verbatim.Request{})
				done <- err
			}()
		}
		for deadline := time.Now().Add(5 * time.Second); p.State().InFlight < openMax && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		if n := p.State().InFlight; n != openMax {
			t.Fatalf("%d requests are in flight", n)
		}
		b.let <- struct{}{} // an answer, after which the limit is in force
		<-done
		p.ServerQueue(c.waiting)
		first := p.State().Limit
		p.ServerQueue(c.waiting)
		p.ServerQueue(c.waiting)
		if then := p.State().Limit; abs(first-c.first) > 1 || abs(then-c.then) > 1 {
			t.Errorf("%+v: limits %d and %d", c, first, then)
		}
		close(b.let)
		for range openMax - 1 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }
