package pace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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

// A process is one call of the program on a disk that outlives it.
type process struct {
	*disk
	mu   sync.Mutex
	dead bool
}

var errDead = errors.New("the process is dead")

// alive does what a process does unless it is dead.
func (p *process) alive(do func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return errDead
	}
	do()
	return nil
}

func (p *process) Reserve(ctx context.Context, seq int64, n int, amount verbatim.Money) (err error) {
	time.Sleep(time.Millisecond) // the commit
	if e := p.alive(func() { err = p.disk.Reserve(ctx, seq, n, amount) }); e != nil {
		return e
	}
	return err
}

func (p *process) Release(seq int64, n int) { p.alive(func() { p.disk.Release(seq, n) }) }

// save commits what came of a request, as the store does.
func (p *process) save(seq int64, reply verbatim.Reply, err error) {
	p.alive(func() {
		p.disk.mu.Lock()
		defer p.disk.mu.Unlock()
		var f *verbatim.Failure
		attempts := reply.Attempts
		if errors.As(err, &f) {
			attempts = f.Attempts
		}
		cost := verbatim.Money(0)
		if err == nil && reply.Cost != nil {
			cost = *reply.Cost
		}
		for _, a := range attempts {
			if a.Cost != nil {
				cost += *a.Cost
			}
		}
		for key := range p.rows {
			if strings.HasPrefix(key, fmt.Sprintf("%d/", seq)) {
				delete(p.rows, key)
			}
		}
		p.rows["saved"] += cost
	})
}

// Over random runs that are killed at random moments and started again: what the server
// bills is never more than the budget, nor than what is on the disk.
func TestBudgetHoldsOverKills(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 60
	}
	used := 0
	for seed := range uint64(runs) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 5))
			limit := verbatim.Money(1 + rng.Int64N(int64(verbatim.Dollar)/20))
			price := verbatim.Price{Input: verbatim.Money(rng.Int64N(int64(5 * verbatim.Dollar))), Output: verbatim.Money(rng.Int64N(int64(20 * verbatim.Dollar)))}
			server := &biller{rng: rand.New(rand.NewPCG(seed, 6)), price: price}
			disk := &disk{rows: map[string]verbatim.Money{}}
			spent := func() (sum verbatim.Money) {
				disk.mu.Lock()
				defer disk.mu.Unlock()
				for _, m := range disk.rows {
					sum += m
				}
				return sum
			}
			for life := range 2 + rng.IntN(5) {
				p := &process{disk: disk}
				b := NewBudget(limit, spent())
				pacer := New(Config{Attempts: 1 + rng.IntN(4), Concurrency: 1 + rng.IntN(40), Adaptive: rng.IntN(2) == 0, Price: &price, Budget: b})
				pacer.Save(p)
				m := pacer.Wrap(modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
					if err := p.alive(func() {}); err != nil {
						return verbatim.Reply{}, err
					}
					return recordtest.Ask(ctx, server, r)
				}))
				ctx, cancel := context.WithCancel(t.Context())
				var group sync.WaitGroup
				for i := range 10 + rng.IntN(60) {
					r := verbatim.Request{Seq: int64(100*life + i), Attempt: 1, MaxTokens: 1 + rng.IntN(500), Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: strings.Repeat("x", rng.IntN(500))}}}}}
					group.Go(func() {
						reply, err := recordtest.Ask(ctx, m, r)
						p.save(r.Seq, reply, err)
					})
				}
				if rng.IntN(4) > 0 {
					time.Sleep(time.Duration(rng.IntN(2000)) * time.Millisecond)
					p.mu.Lock()
					p.dead = true
					p.mu.Unlock()
					cancel()
				}
				group.Wait()
				cancel()
				if billed, counted := server.billed, spent(); billed > limit || billed > counted {
					t.Fatalf("seed %d, life %d: %d are billed of %d, and %d counted", seed, life, billed, limit, counted)
				}
			}
			if spent() > limit/2 {
				used++
			}
		})
	}
	if used < runs/4 {
		t.Errorf("only %d of %d runs used half of their budget", used, runs)
	}
}

func money(t *testing.T, s string) verbatim.Money {
	t.Helper()
	m, err := verbatim.ParseMoney(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCost(t *testing.T) {
	cached := money(t, "0.5")
	price := verbatim.Price{Input: money(t, "2"), Output: money(t, "10"), Cached: &cached, Request: money(t, "0.001")}
	plain := verbatim.Price{Input: money(t, "2"), Output: money(t, "10")}
	n := func(v int64) *int64 { return &v }
	for _, c := range []struct {
		name  string
		price verbatim.Price
		usage verbatim.Usage
		want  string // "" is nil
	}{
		{"nothing is known", price, verbatim.Usage{}, ""},
		{"no completion", price, verbatim.Usage{Prompt: n(5)}, ""},
		{"no prompt", price, verbatim.Usage{Completion: n(5)}, ""},
		{"negative", price, verbatim.Usage{Prompt: n(-1), Completion: n(5)}, ""},
		{"zero is a number", plain, verbatim.Usage{Prompt: n(0), Completion: n(0)}, "0"},
		{"a price of nothing", verbatim.Price{}, verbatim.Usage{}, "0"},
		{"nothing but for cached tokens", verbatim.Price{Cached: &cached}, verbatim.Usage{}, ""},
		{"nothing up to a length", verbatim.Price{UpTo: n(100)}, verbatim.Usage{}, ""},
		{"plain", plain, verbatim.Usage{Prompt: n(1000), Completion: n(100)}, "0.003"},
		{"for the request", price, verbatim.Usage{Prompt: n(1000), Completion: n(100)}, "0.004"},
		{"cached", price, verbatim.Usage{Prompt: n(1000), Completion: n(100), Cached: n(600)}, "0.0031"},
		{"more cached than there is", price, verbatim.Usage{Prompt: n(1000), Completion: n(0), Cached: n(5000)}, ""},
		{"cached, and no price for it", plain, verbatim.Usage{Prompt: n(1000), Completion: n(100), Cached: n(600)}, "0.003"},
		{"reasoning is part of the completion", plain, verbatim.Usage{Prompt: n(0), Completion: n(100), Reasoning: n(90)}, "0.001"},
		{"a fraction is rounded up", verbatim.Price{Input: 1}, verbatim.Usage{Prompt: n(1), Completion: n(0)}, "0.000000000001"},
		{"large", verbatim.Price{Input: money(t, "75")}, verbatim.Usage{Prompt: n(1e9), Completion: n(0)}, "75000"},
	} {
		got := Cost(c.price, c.usage)
		if (got == nil) != (c.want == "") || got != nil && got.Decimal() != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
	if got := Cost(verbatim.Price{Input: math.MaxInt64}, verbatim.Usage{Prompt: n(math.MaxInt64), Completion: n(math.MaxInt64)}); got == nil || *got != math.MaxInt64 {
		t.Errorf("an amount beyond the largest one is %v", got)
	}
}

func TestReservation(t *testing.T) {
	price := verbatim.Price{Input: verbatim.Dollar, Output: 2 * verbatim.Dollar, Request: 7}
	text := func(s string) verbatim.Part { return verbatim.Part{Text: s} }
	request := func(tokens int, parts ...verbatim.Part) verbatim.Request {
		return verbatim.Request{MaxTokens: tokens, Prompt: verbatim.Prompt{{Role: "user", Content: parts}}}
	}
	token := verbatim.Dollar / 1e6
	for _, c := range []struct {
		r    verbatim.Request
		want verbatim.Money
	}{
		{request(0, text("")), 7},
		{request(100, text("héllo"), text("x")), (7+200)*token + 7},
		{request(1, verbatim.Part{Image: &verbatim.Image{Bytes: []byte("png")}}), (50_000+2)*token + 7},
		{request(-5, text("a")), 1*token + 7},
	} {
		if got := Reservation(price, c.r); got != c.want {
			t.Errorf("%+v: %d, want %d", c.r, got, c.want)
		}
	}
	dear := 3 * verbatim.Dollar
	price.Cached = &dear
	if got := Reservation(price, request(0, text("abc"))); got != 9*token+7 {
		t.Errorf("a cache that costs more: %d", got)
	}
	half := 0.5
	price.Batch = &half
	b, ok := Batch(price)
	if !ok || b.Input != verbatim.Dollar/2 || b.Output != verbatim.Dollar || *b.Cached != dear/2 || b.Request != 4 || b.Batch != nil || *price.Cached != 3*verbatim.Dollar {
		t.Errorf("%+v, %v", b, ok)
	}
	for _, bad := range []*float64{nil, ptr(math.NaN()), ptr(-1.0), ptr(math.Inf(1))} {
		price.Batch = bad
		if b, ok := Batch(price); ok {
			t.Errorf("%+v", b)
		}
	}
}

func ptr[T any](v T) *T { return &v }

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

// TestFirstReplyAlone: under a budget nothing is sent next to the first request, because its reply may
// be that of a dearer model. Reservations for the others are as dear.
func TestFirstReplyAlone(t *testing.T) {
	price := &verbatim.Price{Input: verbatim.Dollar, Output: verbatim.Dollar}
	dear := &verbatim.Price{Input: 10 * verbatim.Dollar, Output: 10 * verbatim.Dollar}
	served := func(string) *verbatim.Price { return dear }
	bubble(t, func(t *testing.T, adaptive bool) {
		var mu sync.Mutex
		sent, first := 0, 0
		m := modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) {
			mu.Lock()
			sent++
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			first = cmp.Or(first, sent)
			mu.Unlock()
			return verbatim.Reply{ServedModel: "dear", Usage: verbatim.Usage{Prompt: ptr(int64(0)), Completion: ptr(int64(100))}}, nil
		})
		budget := NewBudget(2*verbatim.Dollar/100, 0)
		p := New(Config{Price: price, Served: served, Budget: budget, Concurrency: 64, Adaptive: adaptive})
		wrapped := p.Wrap(m)
		var group sync.WaitGroup
		for range 64 {
			group.Go(func() { recordtest.Ask(t.Context(), wrapped, verbatim.Request{Attempt: 1, MaxTokens: 100}) })
		}
		group.Wait()
		if b := budget.Balance(); first != 1 || b.Spent > 2*verbatim.Dollar/100 || sent < 15 {
			t.Errorf("%d sent before the first reply, %d in all, %v spent", first, sent, b.Spent)
		}
	})
}
