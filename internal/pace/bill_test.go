package pace

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

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
