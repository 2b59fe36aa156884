package pace

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// replies is a model that answers with this reply.
func replies(r verbatim.Reply) modelFunc {
	return func(context.Context, verbatim.Request) (verbatim.Reply, error) { return r, nil }
}

func TestReplyCost(t *testing.T) {
	price := &verbatim.Price{Input: verbatim.Dollar, Output: verbatim.Dollar}
	usage := verbatim.Usage{Prompt: ptr(int64(10)), Completion: ptr(int64(20))}
	ask := func(c Config, r verbatim.Reply) (verbatim.Reply, State) {
		p := New(c)
		got, err := recordtest.Ask(t.Context(), p.Wrap(replies(r)), verbatim.Request{Attempt: 1, MaxTokens: 30})
		if err != nil {
			t.Fatal(err)
		}
		return got, p.State()
	}
	if r, st := ask(Config{}, verbatim.Reply{Usage: usage}); r.Cost != nil || st.Spent != 0 {
		t.Errorf("without a price: %v", r.Cost)
	}
	if r, st := ask(Config{Price: price}, verbatim.Reply{Usage: usage}); r.Cost == nil || *r.Cost != 30*verbatim.Dollar/1e6 || st.Spent != *r.Cost {
		t.Errorf("with a price: %v, %+v", r.Cost, st)
	}
	b := NewBudget(verbatim.Dollar, 5)
	r, st := ask(Config{Price: price, Budget: b}, verbatim.Reply{})
	if want := Reservation(*price, verbatim.Request{MaxTokens: 30}) + 5; r.Cost != nil || st.Balance.Spent != want || st.Balance.Reserved != 0 {
		t.Errorf("not reported: %v, %+v, want %v spent", r.Cost, st.Balance, want)
	}
}

// What a failed attempt may have cost is saved with that attempt and with no other,
// whether an answer comes in the end or not. A reply without token counts may have cost
// as much.
func TestLostTriesAreCharged(t *testing.T) {
	price := &verbatim.Price{Input: verbatim.Dollar, Output: verbatim.Dollar}
	most := Reservation(*price, verbatim.Request{MaxTokens: 30})
	steps := []verbatim.Failure{{Class: verbatim.Overload, Status: 503}, {Class: verbatim.Cut, Status: 200}, {Class: verbatim.Rate, Status: 429}}
	for _, attempts := range []int{3, 4} { // with the fourth comes the answer
		bubble(t, func(t *testing.T, adaptive bool) {
			asked := 0
			model := modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
				if asked++; asked > len(steps) {
					return verbatim.Reply{}, nil
				}
				f := steps[asked-1]
				return verbatim.Reply{}, &f
			})
			reply, err := recordtest.Ask(t.Context(), New(Config{Attempts: attempts, Price: price, Adaptive: adaptive}).Wrap(model), verbatim.Request{Attempt: 1, MaxTokens: 30})
			all := reply.Attempts
			if attempts == len(steps) {
				all = failure(t, err).Attempts
			}
			if len(all) != attempts {
				t.Fatalf("%d requests, %d attempts", attempts, len(all))
			}
			for i, a := range all {
				if billed := i == 1 || i == 3; (a.Cost != nil) != billed || billed && *a.Cost != most {
					t.Errorf("%d requests: the cost of attempt %d is %v", attempts, i+1, a.Cost)
				}
			}
		})
	}
}

func TestNoMoney(t *testing.T) {
	price := &verbatim.Price{Input: verbatim.Dollar, Output: verbatim.Dollar}
	for name, c := range map[string]struct {
		config Config
		tokens int
		says   string
	}{
		"used up":        {Config{Price: price, Budget: NewBudget(verbatim.Dollar, verbatim.Dollar-1)}, 10, "used up"},
		"overspent":      {Config{Price: price, Budget: NewBudget(verbatim.Dollar, 2*verbatim.Dollar)}, 10, "used up"},
		"nothing":        {Config{Price: price, Budget: NewBudget(0, 0)}, 10, "used up"},
		"no price":       {Config{Budget: NewBudget(verbatim.Dollar, 0)}, 10, "price"},
		"a long prompt":  {Config{Price: &verbatim.Price{Input: 1, UpTo: new(int64(3))}, Budget: NewBudget(verbatim.Dollar, 0)}, 10, "up to 3 tokens"},
		"no token limit": {Config{Price: price, Budget: NewBudget(verbatim.Dollar, 0)}, 0, "token limit"},
	} {
		asked := false
		p := New(c.config)
		_, err := recordtest.Ask(

			t.Context(), p.Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
				asked = true
				return verbatim.Reply{}, nil
			})), verbatim.Request{Attempt: 1, MaxTokens: c.tokens, Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: "four"}}}}})

		f := failure(t, err)
		if asked || f.Class != verbatim.Quota || len(f.Attempts) != 0 || f.Hint == "" || !strings.Contains(f.Error(), c.says) {
			t.Errorf("%s: %+v", name, f)
		}
		if st := p.State(); st.InFlight != 0 || st.Balance.Reserved != 0 {
			t.Errorf("%s: %+v, %+v", name, st, st.Balance)
		}
	}
}

// Requests that wait for budget get it when some is released, in the order of their
// arrival; a request that can never be paid fails at once.
func TestWaitForMoney(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(100, 0)
		if err := b.reserve(t.Context(), 60); err != nil {
			t.Fatal(err)
		}
		if err := b.reserve(t.Context(), 101); err == nil {
			t.Error("more than the budget")
		}
		results := make([]error, 4)
		var group sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		for i, amount := range []verbatim.Money{50, 45, 30, 95} {
			c := t.Context()
			if i == 1 {
				c = ctx
			}
			group.Go(func() { results[i] = b.reserve(c, amount) })
			synctest.Wait()
		}
		cancel() // the second gives up
		synctest.Wait()
		b.settle(60, 10) // 90 are left: 50 and 30 fit, and 95 never does
		group.Wait()
		var none errBudget
		if results[0] != nil || !errors.Is(results[1], context.Canceled) || results[2] != nil || !errors.As(results[3], &none) {
			t.Errorf("%v", results)
		}
		b.settle(50, 200) // a server that ignores limits
		b.settle(30, 0)
		if got := b.Balance(); got != (Balance{Limit: 100, Spent: 210, Overrun: 110}) {
			t.Errorf("%+v", got)
		}
	})
}

func TestMayBeBilled(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"unknown", errors.New("odd"), true},
		{"refused", &verbatim.Failure{Class: verbatim.Rate, Status: 429}, false},
		{"bad request", &verbatim.Failure{Class: verbatim.BadAsk, Status: 400}, false},
		{"broken before an answer", &verbatim.Failure{Class: verbatim.Overload, Status: 502}, false},
		{"broken in the answer", &verbatim.Failure{Class: verbatim.Overload, Status: 200}, true},
		{"a gateway out of time", &verbatim.Failure{Class: verbatim.Overload, Status: 504}, true},
		{"cut", &verbatim.Failure{Class: verbatim.Cut, Status: 200}, true},
		{"unreadable", &verbatim.Failure{Class: verbatim.Content, Status: 200}, true},
		{"cut, of no status", &verbatim.Failure{Class: verbatim.Cut}, true},
		{"unreadable, of no status", &verbatim.Failure{Class: verbatim.Content}, true},
		{"never sent", &verbatim.Failure{Class: verbatim.BadAsk}, false},
		{"out of time", &verbatim.Failure{Class: verbatim.Deadline}, true},
		{"reset", &verbatim.Failure{Class: verbatim.Transport, Err: errors.New("the connection was reset")}, true},
		{"nobody listens", &verbatim.Failure{Class: verbatim.Transport, Err: errors.New("connection refused")}, false},
		{"no such host", &verbatim.Failure{Class: verbatim.Transport, Err: errors.New("no such host")}, false},
		{"refused without HTTP", &verbatim.Failure{Class: verbatim.Overload}, false},
		{"status in the attempt", &verbatim.Failure{Class: verbatim.Overload, Attempts: []verbatim.Attempt{{Status: 503}}}, false},
		{"a part had come", &verbatim.Failure{Class: verbatim.Overload, Attempts: []verbatim.Attempt{{Status: 503, Partial: "x"}}}, true},
	} {
		if got := mayBeBilled(c.err); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A biller answers, fails and bills by chance, and counts what it bills as a
// server does: it honours token limits, and bills also what it could not deliver.
type biller struct {
	mu     sync.Mutex
	rng    *rand.Rand
	price  verbatim.Price
	billed verbatim.Money
	most   verbatim.Money // the largest reservation
}

func (s *biller) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	s.mu.Lock()
	s.most = max(s.most, Reservation(s.price, *r))
	prompt := s.rng.Int64N(1 + promptBound(r.Prompt))
	completion := s.rng.Int64N(1 + int64(r.MaxTokens))
	cached := s.rng.Int64N(1 + prompt)
	kind, wait := s.rng.IntN(12), time.Duration(s.rng.IntN(2000))*time.Millisecond
	s.mu.Unlock()
	time.Sleep(wait)
	usage := verbatim.Usage{Prompt: &prompt, Completion: &completion, Cached: &cached}
	bill := *Cost(s.price, usage)
	s.mu.Lock()
	defer s.mu.Unlock()
	fail := func(f verbatim.Failure, billed bool) error {
		if billed {
			s.billed += bill
		}
		return &f
	}
	switch kind {
	case 0:
		return fail(verbatim.Failure{Class: verbatim.Rate, Status: 429, After: time.Second}, false)
	case 1:
		return fail(verbatim.Failure{Class: verbatim.Overload, Status: 503}, false)
	case 2:
		return fail(verbatim.Failure{Class: verbatim.Cut, Status: 200}, true)
	case 3:
		return fail(verbatim.Failure{Class: verbatim.Transport, Err: errors.New("the connection was reset")}, true)
	case 4:
		return fail(verbatim.Failure{Class: verbatim.Transport, Err: errors.New("connection refused")}, false)
	case 5:
		return fail(verbatim.Failure{Class: verbatim.Deadline, Err: errors.New("late")}, true)
	}
	s.billed += bill
	*reply = verbatim.Reply{Usage: usage}
	switch kind {
	case 6:
		reply.Usage = verbatim.Usage{}
	case 7:
		reply.Cost = &bill
	}
	return nil
}

// Over random runs: what the servers bill never exceeds the budget, and by our
// own count a run that asks for more than the budget ends within one reservation
// of it.
func TestBudgetHolds(t *testing.T) {
	runs, full := 1000, 0
	if testing.Short() {
		runs = 100
	}
	for seed := range uint64(runs) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 2))
			limit := verbatim.Money(1 + rng.Int64N(int64(verbatim.Dollar)/20))
			b := NewBudget(limit, verbatim.Money(rng.Int64N(int64(limit)/4+1)))
			spent := b.Balance().Spent
			var group sync.WaitGroup
			var billers []*biller
			var mu sync.Mutex
			skipped := 0
			for range 1 + rng.IntN(3) {
				price := verbatim.Price{Input: verbatim.Money(rng.Int64N(int64(5 * verbatim.Dollar))), Output: verbatim.Money(rng.Int64N(int64(20 * verbatim.Dollar)))}
				if rng.IntN(2) == 0 {
					price.Cached = ptr(price.Input / 10)
				}
				s := &biller{rng: rand.New(rand.NewPCG(seed, 3)), price: price}
				billers = append(billers, s)
				m := New(Config{Attempts: 1 + rng.IntN(4), Concurrency: 1 + rng.IntN(20), Adaptive: rng.IntN(2) == 0, Price: &price, Budget: b}).Wrap(s)
				for range 10 + rng.IntN(60) {
					r := verbatim.Request{Attempt: 1, MaxTokens: 1 + rng.IntN(500), Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: strings.Repeat("x", rng.IntN(500))}}}}}
					group.Go(func() {
						_, err := recordtest.Ask(t.Context(), m, r)
						var f *verbatim.Failure
						if errors.As(err, &f) && f.Class == verbatim.Quota {
							mu.Lock()
							skipped++
							mu.Unlock()
						}
					})
				}
			}
			group.Wait()
			got := b.Balance()
			var billed, most verbatim.Money
			for _, s := range billers {
				billed += s.billed
				most = max(most, s.most)
			}
			if billed+spent > limit || got.Spent > limit || got.Spent < billed+spent || got.Reserved != 0 || got.Overrun != 0 {
				t.Errorf("seed %d: billed %d and before %d of %d, %+v", seed, billed, spent, limit, got)
			}
			if skipped > 0 && most > 0 {
				full++
				// The largest request of all, sent or not, is at least as large as what
				// is left.
				largest := verbatim.Money(0)
				for _, s := range billers {
					largest = max(largest, Reservation(s.price, verbatim.Request{MaxTokens: 500, Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: strings.Repeat("x", 500)}}}}}))
				}
				if limit-got.Spent > largest {
					t.Errorf("seed %d: %d requests were not sent, with %d of %d left and no request above %d", seed, skipped, limit-got.Spent, limit, largest)
				}
			}
		})
	}
	if full < runs/4 {
		t.Errorf("only %d of %d runs used up their budget", full, runs)
	}
}
