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

// errBudget is why a reservation can never be had.
type errBudget struct{ limit, spent, amount verbatim.Money }

func (e errBudget) Error() string {
	return fmt.Sprintf("the budget of %v is used up: %v are spent, and the next request may cost %v", e.limit, e.spent, e.amount)
}

// reserve sets an amount aside. Where it does not fit and something is in flight
// that may return some, it waits, the first come first; where it can never fit
// it returns an errBudget. The error of ctx is returned as it is.
func (b *Budget) reserve(ctx context.Context, amount verbatim.Money) error {
	b.mu.Lock()
	if len(b.waiting) == 0 && b.fits(amount) {
		b.take(amount)
		b.mu.Unlock()
		return nil
	}
	if b.never(amount) {
		defer b.mu.Unlock()
		return errBudget{b.limit, b.spent, amount}
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

// Charge adds what was found to be spent elsewhere: by another process, before the run
// was ours.
func (b *Budget) Charge(amount verbatim.Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = plus(b.spent, max(0, amount))
	b.serve()
}

func (b *Budget) take(amount verbatim.Money) {
	b.reserved += amount
}

func (b *Budget) giveBack(amount, cost verbatim.Money) {
	b.reserved -= amount
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
			c.ready <- errBudget{b.limit, b.spent, c.amount}
		default:
			return
		}
		b.waiting = b.waiting[1:]
	}
}

// fits reports whether an amount is there next to what is spent and reserved.
func (b *Budget) fits(amount verbatim.Money) bool {
	return amount <= b.limit && b.spent <= b.limit-amount && b.reserved <= b.limit-amount-b.spent
}

// never reports whether an amount would not fit even if all that is in flight
// turned out to cost nothing.
func (b *Budget) never(amount verbatim.Money) bool {
	return amount > b.limit-min(b.spent, b.limit)
}

// takeNow sets an amount aside if it fits at this moment.
func (b *Budget) takeNow(amount verbatim.Money) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) > 0 || !b.fits(amount) {
		return errBudget{b.limit, b.spent, amount}
	}
	b.take(amount)
	return nil
}

// takeAnyway reserves an amount that is already spent or certain to be.
func (b *Budget) takeAnyway(amount verbatim.Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.take(amount)
}
