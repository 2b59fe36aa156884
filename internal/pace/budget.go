package pace

import (
	"context"
	"fmt"
	"sync"

	"verbatim"
)

// A Budget is an amount of money that requests are paid from. Before a request
// is sent the most that it can cost is set aside; its cost replaces that when it
// is known. So what is in flight cannot overrun it, and a server that honours
// token limits never costs more than the limit. It is safe for concurrent use
// and may be shared by several Pacers.
type Budget struct {
	mu       sync.Mutex
	limit    verbatim.Money
	spent    verbatim.Money
	reserved verbatim.Money
	holders  int // reservations that are held
	waiting  []*claim
}

// A claim is a reservation that waits for money to come back.
type claim struct {
	amount verbatim.Money
	ready  chan error // gets one value; nil is a reservation
}

// NewBudget returns a budget of limit, of which spent is gone already.
func NewBudget(limit, spent verbatim.Money) *Budget {
	return &Budget{limit: limit, spent: max(0, spent)}
}

// A Balance is how a budget stands.
type Balance struct {
	Limit, Spent verbatim.Money
	// Reserved is the most that what is in flight may cost.
	Reserved verbatim.Money
	// Overrun is by how much Spent is above Limit: only a server that ignores token
	// limits brings that about, with what was in flight. Otherwise 0.
	Overrun verbatim.Money
}

// Balance tells how the budget stands.
func (b *Budget) Balance() Balance {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Balance{Limit: b.limit, Spent: b.spent, Reserved: b.reserved, Overrun: max(0, b.spent-b.limit)}
}

// errNoMoney is why a reservation can never be had.
type errNoMoney struct{ limit, spent, amount verbatim.Money }

func (e errNoMoney) Error() string {
	return fmt.Sprintf("the budget of %v is used up: %v are spent, and the next request may cost %v", e.limit, e.spent, e.amount)
}

// reserve sets an amount aside. Where it does not fit and something is in flight
// that may return some, it waits, the first come first; where it can never fit
// it returns errNoMoney. The error of ctx is returned as it is.
func (b *Budget) reserve(ctx context.Context, amount verbatim.Money) error {
	b.mu.Lock()
	if len(b.waiting) == 0 && b.fits(amount) {
		b.take(amount)
		b.mu.Unlock()
		return nil
	}
	if b.never(amount) {
		defer b.mu.Unlock()
		return errNoMoney{b.limit, b.spent, amount}
	}
	c := &claim{amount: amount, ready: make(chan error, 1)}
	b.waiting = append(b.waiting, c)
	b.mu.Unlock()
	select {
	case err := <-c.ready:
		return err
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, w := range b.waiting {
		if w == c {
			b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
			b.serve()
			return ctx.Err()
		}
	}
	if err := <-c.ready; err == nil { // it came at the same moment
		b.giveBack(amount, 0)
	}
	return ctx.Err()
}

// settle replaces a reservation by what it came to cost.
func (b *Budget) settle(amount, cost verbatim.Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.giveBack(amount, cost)
}

func (b *Budget) take(amount verbatim.Money) {
	b.reserved += amount
	b.holders++
}

func (b *Budget) giveBack(amount, cost verbatim.Money) {
	b.reserved -= amount
	b.holders--
	b.spent = plus(b.spent, max(0, cost))
	b.serve()
}

// serve hands money to those who wait, and refuses who can never have any.
func (b *Budget) serve() {
	for len(b.waiting) > 0 {
		c := b.waiting[0]
		switch {
		case b.fits(c.amount):
			b.take(c.amount)
			c.ready <- nil
		case b.never(c.amount):
			c.ready <- errNoMoney{b.limit, b.spent, c.amount}
		default:
			return
		}
		b.waiting = b.waiting[1:]
	}
}

// fits reports whether an amount is there beside what is spent and reserved.
func (b *Budget) fits(amount verbatim.Money) bool {
	return amount <= b.limit && b.spent <= b.limit-amount && b.reserved <= b.limit-amount-b.spent
}

// never reports whether an amount would not fit even if all that is in flight
// turned out to cost nothing.
func (b *Budget) never(amount verbatim.Money) bool {
	return b.holders == 0 && !b.fits(amount) || amount > b.limit-min(b.spent, b.limit)
}

// A purse pays for the requests of one endpoint.
type purse struct {
	price  *verbatim.Price
	budget *Budget // nil: without bounds
}

// hold sets aside what a try may cost. It returns nil where nobody can say: no
// price or no token limit, and no budget.
func (p purse) hold(ctx context.Context, r verbatim.Request) (*verbatim.Money, error) {
	if p.budget == nil && (p.price == nil || r.MaxTokens <= 0) {
		return nil, nil
	}
	if p.budget == nil {
		amount := Reservation(*p.price, r)
		return &amount, nil
	}
	amount, err := p.amount(r)
	if err != nil {
		return nil, err
	}
	if err := p.budget.reserve(ctx, amount); err != nil {
		return nil, noMoney(err)
	}
	return &amount, nil
}

// paid settles a try that was answered and fills Reply.Cost: what the provider
// says, or else what the usage costs. Where neither is known the reservation
// counts, and Reply.Cost stays nil.
func (p purse) paid(held *verbatim.Money, reply *verbatim.Reply) {
	if reply.Cost == nil && p.price != nil {
		reply.Cost = Cost(*p.price, reply.Usage)
	}
	if held == nil || p.budget == nil {
		return
	}
	cost := *held
	if reply.Cost != nil {
		cost = *reply.Cost
	}
	p.budget.settle(*held, cost)
}

// lost settles a try without an answer and returns what it may have cost: the
// whole reservation, or nil where it cost nothing or nobody can say.
func (p purse) lost(held *verbatim.Money, err error) *verbatim.Money {
	if held == nil {
		return nil
	}
	billed := mayBeBilled(err)
	if p.budget != nil {
		cost := *held
		if !billed {
			cost = 0
		}
		p.budget.settle(*held, cost)
	}
	if !billed {
		return nil
	}
	return held
}
