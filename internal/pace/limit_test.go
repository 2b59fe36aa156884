package pace

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// limits notes the token limit of each request that it gets, and answers after a second.
type limits struct {
	mu   sync.Mutex
	sent []int
}

func (l *limits) Ask(_ context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	l.mu.Lock()
	l.sent = append(l.sent, r.MaxTokens)
	l.mu.Unlock()
	time.Sleep(time.Second)
	*reply = verbatim.Reply{Text: "answer"}
	return nil
}

// TestLimitWhenSent: the token limit is that of the moment when a request is sent, not when
// it began to wait for its turn. What the caller gets back is what was sent.
func TestLimitWhenSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limits{}
		limit := func(q *verbatim.Request) int {
			l.mu.Lock()
			defer l.mu.Unlock()
			if len(l.sent) >= 2 {
				return min(q.MaxTokens, 10)
			}
			return q.MaxTokens
		}
		m := New(Config{Concurrency: 1, Limit: limit}).Wrap(l)
		var group sync.WaitGroup
		back := make([]verbatim.Request, 5)
		for i := range back { // all wait before the first one is answered
			back[i] = verbatim.Request{MaxTokens: 1000, Attempt: 1}
			group.Go(func() {
				var reply verbatim.Reply
				if err := m.Ask(context.Background(), &back[i], &reply); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		for i, want := range []int{1000, 1000, 10, 10, 10} {
			if l.sent[i] != want {
				t.Errorf("request %d was sent with a limit of %d tokens, not of %d", i+1, l.sent[i], want)
			}
		}
		wide := 0
		for i := range back {
			if back[i].MaxTokens == 1000 {
				wide++
			}
		}
		if wide != 2 {
			t.Errorf("%d requests say that they were sent with the wide limit, not 2", wide)
		}
	})
}

// TestReservationFollowsLimit: requests that wait for money are held again when their token limit
// has become lower, so that a budget pays for all that it can.
func TestReservationFollowsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		price := verbatim.Price{Output: verbatim.Dollar}
		one := int64(1)
		var mu sync.Mutex
		answers := 0
		model := modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			answers++
			return verbatim.Reply{Text: "a", Usage: verbatim.Usage{Prompt: &one, Completion: &one}}, nil
		})
		limit := func(q *verbatim.Request) int {
			mu.Lock()
			defer mu.Unlock()
			if answers >= 1 {
				return min(q.MaxTokens, 2)
			}
			return q.MaxTokens
		}
		b := NewBudget(Reservation(price, verbatim.Request{MaxTokens: 1000}), 0) // one wide request and no other
		m := New(Config{Concurrency: 8, Price: &price, Budget: b, Limit: limit}).Wrap(model)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if _, err := recordtest.Ask(context.Background(), m, verbatim.Request{MaxTokens: 1000, Attempt: 1}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	})
}
