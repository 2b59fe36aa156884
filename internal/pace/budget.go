package pace

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"verbatim"
)

// A Budget is an amount of money from which requests are paid. Before a request is sent, its
// maximum cost is reserved. Its cost replaces the reservation when it is known. So a server that
// obeys token limits never costs more than the budget. It is safe for concurrent use and may be
// shared by several Pacers.
type Budget struct {
	mu       sync.Mutex
	limit    verbatim.Money
	spent    verbatim.Money
	reserved verbatim.Money
	waiting  []*claim
}

// A claim is a reservation that waits until requests in flight cost less than was reserved.
type claim struct {
	amount verbatim.Money
	ready  chan error // receives one value; nil: the amount is reserved
}

// NewBudget returns a budget of limit, of which spent is spent already.
func NewBudget(limit, spent verbatim.Money) *Budget {
	return &Budget{limit: limit, spent: max(0, spent)}
}

// A Balance is the state of a budget.
type Balance struct {
	Limit, Spent verbatim.Money
	// Reserved is the maximum cost of the requests in flight.
	Reserved verbatim.Money
	// Overrun is how much Spent is above Limit, otherwise 0. It occurs only if a server
	// ignores token limits.
	Overrun verbatim.Money
}

// Balance returns the state of the budget.
func (b *Budget) Balance() Balance {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Balance{Limit: b.limit, Spent: b.spent, Reserved: b.reserved, Overrun: max(0, b.spent-b.limit)}
}

// errBudget is the error of an amount for which the budget does not suffice.
type errBudget struct{ limit, spent, amount verbatim.Money }

func (e errBudget) Error() string {
	return fmt.Sprintf("the budget of %v is used up: %v are spent, and the next request may cost %v", e.limit, e.spent, e.amount)
}

// reserve reserves an amount. If it does not fit now, but may when requests in flight are settled,
// reserve waits; claims are served in their order. If it can never fit, the error is an errBudget.
// If ctx ends first, it is that of ctx.
func (b *Budget) reserve(ctx context.Context, amount verbatim.Money) error {
	b.mu.Lock()
	if len(b.waiting) == 0 && b.fits(amount) {
		b.reserved += amount
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
	if i := slices.Index(b.waiting, c); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
		b.serve()
		return ctx.Err()
	}
	if err := <-c.ready; err == nil { // it was reserved when ctx ended
		b.giveBack(amount, 0)
	}
	return ctx.Err()
}

// settle replaces a reservation by its cost.
func (b *Budget) settle(amount, cost verbatim.Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.giveBack(amount, cost)
}

// Charge adds an amount that another process has spent, before this one took over the run.
func (b *Budget) Charge(amount verbatim.Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = plus(b.spent, max(0, amount))
	b.serve()
}

func (b *Budget) giveBack(amount, cost verbatim.Money) {
	b.reserved -= amount
	b.spent = plus(b.spent, max(0, cost))
	b.serve()
}

// serve decides on the claims that wait, as far as that is possible now.
func (b *Budget) serve() {
	for len(b.waiting) > 0 {
		c := b.waiting[0]
		switch {
		case b.fits(c.amount):
			b.reserved += c.amount
			c.ready <- nil
		case b.never(c.amount):
			c.ready <- errBudget{b.limit, b.spent, c.amount}
		default:
			return
		}
		b.waiting = b.waiting[1:]
	}
}

// fits reports whether the limit suffices for an amount, in addition to what is spent and reserved.
func (b *Budget) fits(amount verbatim.Money) bool {
	return amount <= b.limit && b.spent <= b.limit-amount && b.reserved <= b.limit-amount-b.spent
}

// never reports whether an amount would not fit even if all requests in flight cost nothing.
func (b *Budget) never(amount verbatim.Money) bool {
	return amount > b.limit-min(b.spent, b.limit)
}

// takeNow reserves an amount if it fits at this moment; otherwise the error is an errBudget.
func (b *Budget) takeNow(amount verbatim.Money) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) > 0 || !b.fits(amount) {
		return errBudget{b.limit, b.spent, amount}
	}
	b.reserved += amount
	return nil
}

// take reserves an amount whether it fits or not.
func (b *Budget) take(amount verbatim.Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved += amount
}
