package pace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/wire"
)

// A script answers each request with the next step, the last one again and again.
type script struct {
	steps []error // nil is an answer
	bare  bool    // records no attempts
	takes time.Duration

	mu    sync.Mutex
	asked []int // Request.Attempt of each
	at    []time.Duration
	start time.Time
}

func (s *script) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	s.mu.Lock()
	step := s.steps[min(len(s.asked), len(s.steps)-1)]
	s.asked = append(s.asked, r.Attempt)
	if s.start.IsZero() {
		s.start = time.Now()
	}
	s.at = append(s.at, time.Since(s.start))
	s.mu.Unlock()
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return &verbatim.Failure{Class: verbatim.Deadline, Err: context.Cause(ctx)}
		}
	}
	a := verbatim.Attempt{N: r.Attempt, Status: 200, RequestID: "id"}
	var f *verbatim.Failure
	if step == nil {
		*reply = verbatim.Reply{Text: "answer"}
		if !s.bare {
			reply.Attempts = []verbatim.Attempt{a}
		}
		return nil
	}
	if errors.As(step, &f) && !s.bare {
		c := *f
		a.Class = c.Class
		c.Attempts = []verbatim.Attempt{a}
		return &c
	}
	return step
}

func fails(c verbatim.Class) error { return &verbatim.Failure{Class: c, Err: errors.New("because")} }

func after(c verbatim.Class, d time.Duration) error {
	return &verbatim.Failure{Class: c, Status: 429, After: d, Err: errors.New("slower")}
}

func failure(t *testing.T, err error) *verbatim.Failure {
	t.Helper()
	var f *verbatim.Failure
	if !errors.As(err, &f) {
		t.Fatalf("%v is no failure", err)
	}
	return f
}

// bubble runs a test in virtual time, for the fixed and the adaptive Pacer.
func bubble(t *testing.T, test func(t *testing.T, adaptive bool)) {
	for name, adaptive := range map[string]bool{"fixed": false, "adaptive": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, adaptive) })
		})
	}
}

func TestClasses(t *testing.T) {
	for class, again := range map[verbatim.Class]bool{
		verbatim.Transport: true, verbatim.Rate: true, verbatim.Overload: true, verbatim.Cut: true,
		verbatim.Quota: false, verbatim.Auth: false, verbatim.BadAsk: false, verbatim.Content: false, verbatim.Deadline: false,
	} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{fails(class)}}
			_, err := recordtest.Ask(t.Context(), New(Config{Attempts: 4, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 3})
			want := []int{3}
			if again {
				want = []int{3, 4, 5, 6}
			}
			f := failure(t, err)
			if f.Class != class || len(f.Attempts) != len(want) || !slices.Equal(s.asked, want) {
				t.Fatalf("%s: asked as %v, want %v: %v", class, s.asked, want, err)
			}
			for i, a := range f.Attempts {
				if a.N != want[i] || a.Class != class || a.RequestID != "id" || (a.Wait > 0) != (i > 0) {
					t.Errorf("%s: attempt %d is %+v", class, i, a)
				}
				if i > 0 && a.Wait != s.at[i]-s.at[i-1] {
					t.Errorf("%s: attempt %d says that it waited %v, and it was %v", class, i, a.Wait, s.at[i]-s.at[i-1])
				}
			}
		})
	}
}

func TestSuccessAfterFailures(t *testing.T) {
	for _, bare := range []bool{false, true} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{fails(verbatim.Overload), fails(verbatim.Cut), nil}, bare: bare}
			reply, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
			if err != nil || reply.Text != "answer" || len(reply.Attempts) != 3 {
				t.Fatalf("%+v, %v", reply, err)
			}
			for i, want := range []verbatim.Class{verbatim.Overload, verbatim.Cut, ""} {
				if a := reply.Attempts[i]; a.Class != want || a.N != i+1 || (a.Wait > 0) != (i > 0) || bare && want != "" && a.Err != "because" {
					t.Errorf("attempt %d is %+v", i, a)
				}
			}
		})
	}
}

// An answer is never asked for again, whatever it says.
func TestAnswersAreKept(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{nil, fails(verbatim.Cut)}}
		if _, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1}); err != nil || len(s.asked) != 1 {
			t.Errorf("%v, asked %v", err, s.asked)
		}
	})
}

// The waits double from half a second to half a minute, half of each by chance,
// and a Retry-After is the least of them.
func TestWaits(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{fails(verbatim.Cut)}}
		recordtest.Ask(t.Context(), New(Config{Attempts: 12, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
		for i := 1; i < 12; i++ {
			most := min(30*time.Second, 500*time.Millisecond<<(i-1))
			if d := s.at[i] - s.at[i-1]; d < most/2 || d > most {
				t.Errorf("wait %d is %v, want %v to %v", i, d, most/2, most)
			}
		}
	})
	for _, class := range []verbatim.Class{verbatim.Rate, verbatim.Overload} {
		bubble(t, func(t *testing.T, adaptive bool) {
			s := &script{steps: []error{after(class, 7*time.Second), after(class, time.Minute), nil}}
			_, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
			if err != nil {
				t.Fatal(err)
			}
			for i, least := range []time.Duration{7 * time.Second, time.Minute} {
				if d := s.at[i+1] - s.at[i]; d < least || d > least+longJitter {
					t.Errorf("%s: wait %d is %v, want a little more than %v", class, i, d, least)
				}
			}
		})
	}
}

// A server that asks for a wait of more than five minutes gets no request from any
// worker: the lane can be continued later.
func TestLongWait(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		s := &script{steps: []error{after(verbatim.Rate, longAfter+1), nil}}
		m := New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s)
		_, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Rate || f.After != longAfter+1 || len(f.Attempts) != 1 {
			t.Errorf("%+v", f)
		}
		_, err = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Quota || len(f.Attempts) != 0 || f.Hint == "" || len(s.asked) != 1 {
			t.Errorf("%+v, asked %v", f, s.asked)
		}
		// The wait that a broken server asks for holds only for that request.
		s = &script{steps: []error{after(verbatim.Overload, longAfter+1), nil}}
		m = New(Config{Attempts: 5, Adaptive: adaptive}).Wrap(s)
		if _, err = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); failure(t, err).Class != verbatim.Overload || len(s.asked) != 1 {
			t.Errorf("%v, asked %v", err, s.asked)
		}
		if _, err = recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); err != nil {
			t.Error(err)
		}
	})
}

func TestTotal(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		// A wait that would end too late is not begun.
		s := &script{steps: []error{after(verbatim.Rate, 20*time.Second)}, takes: 3 * time.Second}
		begun := time.Now()
		_, err := recordtest.Ask(t.Context(), New(Config{Attempts: 5, Total: 10 * time.Second, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Rate || len(f.Attempts) != 1 || time.Since(begun) != 3*time.Second {
			t.Errorf("%+v after %v", f, time.Since(begun))
		}
		// An attempt is ended by it.
		s = &script{steps: []error{after(verbatim.Cut, 0), nil}, takes: 7 * time.Second}
		begun = time.Now()
		_, err = recordtest.Ask(t.Context(), New(Config{Attempts: 9, Total: 10 * time.Second, Adaptive: adaptive}).Wrap(s), verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Deadline || !errors.Is(f, errTotal) || len(f.Attempts) != 2 || time.Since(begun) != 10*time.Second {
			t.Errorf("%+v after %v", f, time.Since(begun))
		}
		// Waiting before the first attempt does not count.
		s = &script{steps: []error{nil}, takes: 3 * time.Second}
		m := New(Config{Concurrency: 1, Total: 4 * time.Second}).Wrap(s)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if _, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	})
}

func TestContext(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		// While it waits to retry: the last failure.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		p := New(Config{Attempts: 2, Adaptive: adaptive})
		_, err := recordtest.Ask(ctx, p.Wrap(&script{steps: []error{after(verbatim.Rate, time.Minute)}}), verbatim.Request{Attempt: 1})
		if f := failure(t, err); f.Class != verbatim.Rate || time.Since(begun) > time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		// While it waits at the gate, whose state is then as before.
		_, err = recordtest.Ask(ctx, p.Wrap(&script{steps: []error{nil}}), verbatim.Request{Attempt: 1})
		if f := failure(t, err); len(f.Attempts) != 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v", f)
		}
		short, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err = recordtest.Ask(short, p.Wrap(&script{steps: []error{nil}}), verbatim.Request{Attempt: 1}); err == nil {
			t.Error("it went through the pause")
		}
		if st := p.State(); st.Waiting != 0 || st.InFlight != 0 || st.PausedUntil.IsZero() || st.Why == "" {
			t.Errorf("%+v", st)
		}
		if _, err = recordtest.Ask(t.Context(), p.Wrap(&script{steps: []error{nil}}), verbatim.Request{Attempt: 1}); err != nil {
			t.Error(err)
		}
	})
}

// The failure of the model is its own: it is not written to. What is no failure
// is returned as it is.
func TestFailuresAreLeft(t *testing.T) {
	bubble(t, func(t *testing.T, adaptive bool) {
		shared := &verbatim.Failure{Class: verbatim.Cut, Err: errors.New("cut")}
		m := New(Config{Attempts: 3, Adaptive: adaptive}).Wrap(&script{steps: []error{shared}, bare: true})
		for range 2 {
			_, err := recordtest.Ask(t.Context(), m, verbatim.Request{Attempt: 1})
			if f := failure(t, err); len(f.Attempts) != 3 || shared.Attempts != nil {
				t.Errorf("%+v, the model's own %+v", f, shared)
			}
		}
		odd := errors.New("no failure of ours")
		if _, err := recordtest.Ask(t.Context(), New(Config{Attempts: 3}).Wrap(&script{steps: []error{odd}}), verbatim.Request{}); err != odd {
			t.Errorf("%v, want %v as it is", err, odd)
		}
	})
}

// A model that panics releases its slot and its reservation.
func TestPanic(t *testing.T) {
	b := NewBudget(verbatim.Dollar, 0)
	p := New(Config{Price: &verbatim.Price{Output: verbatim.Dollar}, Budget: b})
	m := p.Wrap(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) { panic("oh") }))
	func() {
		defer func() { recover() }()
		recordtest.Ask(t.Context(), m, verbatim.Request{MaxTokens: 10})
	}()
	if st := p.State(); st.InFlight != 0 || st.Balance.Reserved != 0 || st.Balance.Spent == 0 {
		t.Errorf("%+v, %+v", st, st.Balance)
	}
}

type modelFunc func(context.Context, verbatim.Request) (verbatim.Reply, error)

func (f modelFunc) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	got, err := f(ctx, *r)
	if err == nil {
		*reply = got
	}
	return err
}

// What counts is the larger of the server's claim and of its token counts at the known
// price. Token counts that cannot be true count as none: the most that the request may
// cost is charged then.
func TestBill(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	price := &verbatim.Price{Input: verbatim.Dollar, Output: 2 * verbatim.Dollar} // 1 and 2 millionths a token
	token := verbatim.Dollar / 1e6
	request := verbatim.Request{Attempt: 1, MaxTokens: 100, Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: strings.Repeat("word ", 40)}}}}}
	most := Reservation(*price, request)
	honest := verbatim.Usage{Prompt: n(50), Completion: n(20)}
	text := strings.Repeat("x", 80)
	for _, c := range []struct {
		name    string
		price   *verbatim.Price
		usage   verbatim.Usage
		text    string
		claim   verbatim.Money // -1: none
		cost    verbatim.Money // -1: not known
		claimed verbatim.Money // -1: none
		charged verbatim.Money
	}{
		{"no claim", price, honest, text, -1, 90 * token, -1, 90 * token},
		{"a claim of nothing", price, honest, text, 0, 90 * token, 0, 90 * token},
		{"a smaller claim", price, honest, text, 7, 90 * token, 7, 90 * token},
		{"the same claim", price, honest, text, 90 * token, 90 * token, -1, 90 * token},
		{"a larger claim", price, honest, text, 500 * token, 500 * token, -1, 500 * token},
		{"no usage", price, verbatim.Usage{}, text, -1, -1, -1, most},
		{"no usage and a claim of nothing", price, verbatim.Usage{}, text, 0, -1, 0, most},
		{"no usage and a large claim", price, verbatim.Usage{}, text, 2 * most, -1, 2 * most, 2 * most},
		{"usage of zero", price, verbatim.Usage{Prompt: n(0), Completion: n(0)}, text, -1, -1, -1, most},
		{"usage of zero for no text", price, verbatim.Usage{Prompt: n(0), Completion: n(0)}, "", -1, -1, -1, most},
		{"a prompt of zero", price, verbatim.Usage{Prompt: n(0), Completion: n(20)}, text, 0, -1, 0, most},
		{"a completion of zero", price, verbatim.Usage{Prompt: n(50), Completion: n(0)}, text, -1, -1, -1, most},
		{"a completion of zero for no text", price, verbatim.Usage{Prompt: n(50), Completion: n(0)}, "", -1, 50 * token, -1, 50 * token},
		{"one token for everything", price, verbatim.Usage{Prompt: n(1), Completion: n(1)}, text, -1, -1, -1, most},
		{"negative", price, verbatim.Usage{Prompt: n(-5), Completion: n(20)}, text, -1, -1, -1, most},
		{"more than any model has", price, verbatim.Usage{Prompt: n(50), Completion: n(1e18)}, text, -1, -1, -1, most},
		{"more than the token limit", price, verbatim.Usage{Prompt: n(50), Completion: n(5000)}, text, -1, 10050 * token, -1, 10050 * token},
		{"no usage, and more text than the token limit", price, verbatim.Usage{}, strings.Repeat("x", 1000), -1, -1, -1, 2200 * token},
		{"reasoning apart", price, verbatim.Usage{Prompt: n(50), Completion: n(20), Reasoning: n(30)}, text, -1, 150 * token, -1, 150 * token},
		{"a prompt that the price does not hold for", &verbatim.Price{Input: verbatim.Dollar, Output: 2 * verbatim.Dollar, UpTo: n(210)}, verbatim.Usage{Prompt: n(300), Completion: n(20)}, text, -1, -1, -1, most},
		{"a price of nothing", &verbatim.Price{}, verbatim.Usage{Prompt: n(0), Completion: n(0)}, text, -1, 0, -1, 0},
		{"a price of nothing and a claim", &verbatim.Price{}, honest, text, 5, 5, -1, 5},
		{"the largest amount", &verbatim.Price{Input: verbatim.MaxMoney}, verbatim.Usage{Prompt: n(5e6), Completion: n(20)}, text, -1, verbatim.MaxMoney, -1, verbatim.MaxMoney},
	} {
		b := NewBudget(verbatim.MaxMoney, 0)
		p := New(Config{Price: c.price, Budget: b})
		given := verbatim.Reply{Usage: c.usage, Text: c.text}
		if c.claim >= 0 {
			given.Cost = &c.claim
		}
		q := request
		if c.price.Input == verbatim.MaxMoney {
			b = NewBudget(1<<62, 0)
			p = New(Config{Price: c.price, Budget: b})
			q.MaxTokens, q.Prompt = 1, nil
		}
		r, err := recordtest.Ask(t.Context(), p.Wrap(replies(given)), q)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := amount(r.Cost), c.cost; got != want {
			t.Errorf("%s: the cost is %d, want %d", c.name, got, want)
		}
		if got, want := amount(r.Claimed), c.claimed; got != want {
			t.Errorf("%s: claimed are %d, want %d", c.name, got, want)
		}
		if got := b.Balance(); got.Spent != c.charged || got.Reserved != 0 {
			t.Errorf("%s: charged are %d, want %d", c.name, got.Spent, c.charged)
		}
		last := r.Attempts[len(r.Attempts)-1].Cost
		if (last != nil) != (c.cost < 0) || last != nil && *last != c.charged {
			t.Errorf("%s: the attempt has %d", c.name, amount(last))
		}
	}
	claim := verbatim.Money(9)
	if r, err := recordtest.Ask(t.Context(), New(Config{}).Wrap(replies(verbatim.Reply{Cost: &claim})), request); err != nil || amount(r.Cost) != 9 || r.Claimed != nil {
		t.Errorf("without a price: %d, %d, %v", amount(r.Cost), amount(r.Claimed), err)
	}
}

// amount is -1 without one.
func amount(m *verbatim.Money) verbatim.Money {
	if m == nil {
		return -1
	}
	return *m
}

// A reply of a batch is billed by the same rules.
func TestBillBatch(t *testing.T) {
	half := 0.5
	price := &verbatim.Price{Input: verbatim.Dollar, Output: 2 * verbatim.Dollar, Batch: &half}
	b := NewBudget(verbatim.Dollar, 0)
	p := New(Config{Price: price, Budget: b})
	r := verbatim.Request{MaxTokens: 100, Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: "a question"}}}}}
	zero := verbatim.Money(0)
	for _, usage := range []verbatim.Usage{{}, {Prompt: ptr(int64(0)), Completion: ptr(int64(0))}} {
		before := b.Balance().Spent
		if n, err := p.Afford([]verbatim.Request{r}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		reply := verbatim.Reply{Text: "an answer", Usage: usage, Cost: &zero, Attempts: []verbatim.Attempt{{N: 1}}}
		p.Settle(r, &reply, nil)
		batch, _ := Batch(*price)
		want := Reservation(batch, r)
		if got := b.Balance().Spent - before; got != want || reply.Cost != nil || amount(reply.Attempts[0].Cost) != want {
			t.Errorf("charged are %d, want %d; %+v", got, want, reply)
		}
	}
	if n, err := p.Afford([]verbatim.Request{r}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	before := b.Balance()
	if got := amount(p.GiveUp(r)); got != before.Reserved || b.Balance().Spent != before.Spent+got || b.Balance().Reserved != 0 {
		t.Errorf("a batch that is given up: %d, %+v", got, b.Balance())
	}
}

// What is charged for a request that the model sent twice is twice the reservation,
// and not sent again what there is no money for.
func TestResend(t *testing.T) {
	price := &verbatim.Price{Output: verbatim.Dollar}
	r := verbatim.Request{Seq: 7, Attempt: 3, MaxTokens: 1000}
	most := Reservation(*price, r)
	for _, c := range []struct {
		limit verbatim.Money
		fails bool
	}{{10 * most, false}, {10 * most, true}, {most, false}} {
		b := NewBudget(c.limit, 0)
		saved := &disk{rows: map[string]verbatim.Money{}}
		p := New(Config{Price: price, Budget: b})
		p.Save(saved)
		allowed := false
		model := modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			one := verbatim.Attempt{N: r.Attempt, Class: verbatim.Transport}
			allowed = verbatim.MayResend(ctx)
			if !allowed {
				return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Transport, Attempts: []verbatim.Attempt{one}}
			}
			if got := saved.rows["7/3"]; got != 2*most {
				t.Errorf("%d are saved before the second is sent, want %d", got, 2*most)
			}
			if c.fails {
				return verbatim.Reply{}, &verbatim.Failure{Class: verbatim.Overload, Status: 500, Attempts: []verbatim.Attempt{one, {N: r.Attempt, Class: verbatim.Overload, Status: 500}}}
			}
			return verbatim.Reply{Usage: verbatim.Usage{Prompt: ptr(int64(0)), Completion: ptr(int64(10))}, Attempts: []verbatim.Attempt{one, {N: r.Attempt}}}, nil
		})
		reply, err := recordtest.Ask(t.Context(), p.Wrap(model), r)
		all := reply.Attempts
		if err != nil {
			all = failure(t, err).Attempts
		}
		if allowed != (c.limit > most) || amount(all[0].Cost) != most || len(all) == 2 && all[1].Cost != nil {
			t.Errorf("%+v: allowed %v, attempts %+v", c, allowed, all)
		}
		want := most
		if allowed && !c.fails {
			want += *reply.Cost
		}
		if got := b.Balance(); got.Spent != want || got.Reserved != 0 {
			t.Errorf("%+v: %+v, want %d spent", c, got, want)
		}
	}
}

// A disk is where a test saves reservations.
type disk struct {
	mu   sync.Mutex
	rows map[string]verbatim.Money
}

func (d *disk) Reserve(_ context.Context, seq int64, n int, amount verbatim.Money) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rows[fmt.Sprintf("%d/%d", seq, n)] += amount
	return nil
}

func (d *disk) Release(seq int64, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.rows, fmt.Sprintf("%d/%d", seq, n))
}

// A connection that never opened costs nothing, as the wires report it.
func TestNeverOpened(t *testing.T) {
	const closed = "http://127.0.0.1:1" // never handed to another test's server
	prompt := verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "q"}}}}
	err := wire.Chat().Send(t.Context(), &wire.Endpoint{BaseURL: closed, Model: "m"}, &verbatim.Request{Prompt: prompt}, new(verbatim.Reply))
	if err == nil || mayBeBilled(err) {
		t.Errorf("%v may be billed", err)
	}
}

// A reply costs what the models cost that answered, each for its own tokens. The cost is unknown if one of
// their prices is, and the next reservation pays for each model that has answered or may answer.
func TestPricedAsServed(t *testing.T) {
	n := func(v int64) *int64 { return &v }
	price := &verbatim.Price{Input: verbatim.Dollar, Output: 2 * verbatim.Dollar}
	served := func(name string) *verbatim.Price {
		switch name {
		case "m", "m-2026-01-01":
			return price
		case "dear":
			return &verbatim.Price{Input: 5 * verbatim.Dollar, Output: 25 * verbatim.Dollar}
		}
		return nil
	}
	token := verbatim.Dollar / 1e6
	request := verbatim.Request{Attempt: 1, MaxTokens: 100, Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: strings.Repeat("word ", 40)}}}}}
	usage := verbatim.Usage{Prompt: n(50), Completion: n(20)}
	plain, both := Reservation(*price, request), Reservation(*price, request)+Reservation(*served("dear"), request)
	for _, c := range []struct {
		name      string
		model     string
		parts     []verbatim.ServedPart
		fallbacks []string
		cost      verbatim.Money // -1: unknown
		next      verbatim.Money // the reservation of the next request
	}{
		{"no name", "", nil, nil, 90 * token, plain},
		{"the model", "m", nil, nil, 90 * token, plain},
		{"a release of it", "m-2026-01-01", nil, nil, 90 * token, plain},
		{"a dearer one", "dear", nil, nil, (250 + 500) * token, both},
		{"an unknown one", "other", nil, nil, -1, plain},
		{"the model, and another may answer", "m", nil, []string{"dear"}, 90 * token, both},
		{"both in turn", "dear", []verbatim.ServedPart{{Model: "m", Usage: usage}, {Usage: usage}}, nil, (90 + 750) * token, both},
		{"twice", "m", []verbatim.ServedPart{{Usage: usage}, {Usage: usage}}, nil, 180 * token, plain},
		{"an unknown one in turn", "m", []verbatim.ServedPart{{Usage: usage}, {Model: "other", Usage: usage}}, nil, -1, plain},
		{"unknown counts in turn", "m", []verbatim.ServedPart{{Usage: usage}, {Usage: verbatim.Usage{Completion: n(3)}}}, nil, -1, plain},
	} {
		b := NewBudget(verbatim.Dollar, 0)
		p := New(Config{Price: price, Served: served, Fallbacks: c.fallbacks, Budget: b})
		m := p.Wrap(replies(verbatim.Reply{Usage: usage, Text: "some text", ServedModel: c.model, Parts: c.parts}))
		r, err := recordtest.Ask(t.Context(), m, request)
		if err != nil {
			t.Fatal(err)
		}
		first := plain
		if c.fallbacks != nil {
			first = both
		}
		if spent := b.Balance().Spent; amount(r.Cost) != c.cost || c.cost >= 0 && spent != c.cost || c.cost < 0 && (spent < first || r.Attempts[0].Cost == nil) {
			t.Errorf("%s: the cost is %d and %d are charged, want %d", c.name, amount(r.Cost), spent, c.cost)
		}
		if got := p.reservations.reservation(request); got != c.next {
			t.Errorf("%s: the next request reserves %d, want %d", c.name, got, c.next)
		}
		// A batch is reserved and settled by what is known from the start.
		before := b.Balance().Spent
		if count, err := p.Afford([]verbatim.Request{request}); count != 1 || err != nil || b.Balance().Reserved != first {
			t.Errorf("%s, in a batch: %d are reserved, want %d; %v", c.name, b.Balance().Reserved, first, err)
		}
		reply := verbatim.Reply{Usage: usage, Text: "some text", ServedModel: c.model, Parts: c.parts, Attempts: []verbatim.Attempt{{N: 1}}}
		p.Settle(request, &reply, nil)
		if got := b.Balance(); amount(reply.Cost) != c.cost || got.Reserved != 0 || c.cost >= 0 && got.Spent-before != c.cost {
			t.Errorf("%s, in a batch: the cost is %d, %+v", c.name, amount(reply.Cost), got)
		}
	}
}
