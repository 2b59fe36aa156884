package pace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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

// A reservationStore saves reservations durably, so that none is lost if the process is killed. seq
// and n are Request.Seq and Request.Attempt.
type reservationStore interface {
	// Reserve returns when the reservation is on the disk. If there is one with the same
	// seq and n, amount is added to it.
	Reserve(ctx context.Context, seq int64, n int, amount verbatim.Money) error
	// Release removes the reservation of an attempt that is certainly not billed. Other
	// reservations are removed when the record of the request is saved.
	Release(seq int64, n int)
}

// A reservations makes and settles the reservations of one endpoint.
type reservations struct {
	price  *verbatim.Price
	served func(model string) *verbatim.Price // as Config.Served; not nil
	most   *mostPrice                         // the price of reservations
	budget *Budget                            // nil: there is no budget
	saved  reservationStore                   // nil: reservations are not saved
}

func newReservations(c Config) reservations {
	p := reservations{price: c.Price, served: c.Served, budget: c.Budget}
	if p.served == nil {
		p.served = func(string) *verbatim.Price { return c.Price }
	}
	if c.Price == nil {
		return p
	}
	p.most = &mostPrice{price: *c.Price}
	for _, name := range c.Fallbacks {
		p.priceOf(name)
	}
	return p
}

// A mostPrice is the sum of the prices of the models that may work at one request.
type mostPrice struct {
	mu    sync.Mutex
	price verbatim.Price
	names []string // the models besides the one that is asked
}

// priceOf returns the price of a model that answered, nil if it is unknown. From now on reservations
// pay for it too.
func (p reservations) priceOf(name string) *verbatim.Price {
	price := p.price
	if name != "" {
		price = p.served(name)
	}
	if m := p.most; price != nil && price != p.price {
		m.mu.Lock()
		defer m.mu.Unlock()
		if !slices.Contains(m.names, name) {
			m.names, m.price = append(m.names, name), sum(m.price, *price)
		}
	}
	return price
}

// cost returns the cost of a reply at the prices of the models that worked at it; nil if it is unknown.
func (p reservations) cost(reply *verbatim.Reply) *verbatim.Money {
	parts := reply.Parts
	if len(parts) == 0 {
		parts = []verbatim.ServedPart{{Usage: reply.Usage}}
	}
	all := new(verbatim.Money)
	for _, part := range parts {
		price := p.priceOf(cmp.Or(part.Model, reply.ServedModel))
		if price == nil {
			return nil
		}
		cost := Cost(*price, part.Usage)
		if cost == nil {
			return nil
		}
		*all = plus(*all, *cost)
	}
	return all
}

// reservation returns the maximum cost of a request.
func (p reservations) reservation(r verbatim.Request) verbatim.Money {
	p.most.mu.Lock()
	defer p.most.mu.Unlock()
	return Reservation(p.most.price, r)
}

// A reservation is the maximum cost of one attempt.
type reservation struct {
	amount verbatim.Money
	seq    int64
	n      int
	resent int // how often the request was sent again on another connection
}

// hold reserves the maximum cost of an attempt. The reservation is nil if there is no budget and the
// cost is unknown, for lack of a price or a token limit.
func (p reservations) hold(ctx context.Context, r verbatim.Request) (*reservation, error) {
	h := &reservation{seq: r.Seq, n: r.Attempt}
	if p.budget == nil {
		if p.price == nil || r.MaxTokens <= 0 {
			return nil, nil
		}
		h.amount = p.reservation(r)
		return h, nil
	}
	var err error
	if h.amount, err = p.amount(r); err != nil {
		return nil, err
	}
	if err := p.budget.reserve(ctx, h.amount); err != nil {
		return nil, budgetError(err)
	}
	if err := p.save(ctx, h); err != nil {
		p.budget.settle(h.amount, 0)
		return nil, err
	}
	return h, nil
}

// save saves a reservation.
func (p reservations) save(ctx context.Context, h *reservation) error {
	if p.saved == nil {
		return nil
	}
	err := p.saved.Reserve(ctx, h.seq, h.n, h.amount)
	if err != nil && h.resent == 0 {
		p.saved.Release(h.seq, h.n)
	}
	return err
}

// resend reserves the same amount once more, for a request that is sent again on another
// connection. It does not wait for the budget: if the amount does not fit, the attempt fails, and
// the request is retried later.
func (p reservations) resend(ctx context.Context, h *reservation) bool {
	if p.budget == nil {
		h.resent++
		return true
	}
	if p.budget.takeNow(h.amount) != nil {
		return false
	}
	h.resent++
	if p.save(ctx, h) != nil {
		h.resent--
		p.budget.settle(h.amount, 0)
		return false
	}
	return true
}

// amount returns the amount to reserve for a request under a budget. The error is a failure of
// class quota.
func (p reservations) amount(r verbatim.Request) (verbatim.Money, error) {
	var why, hint string
	switch {
	case p.price == nil:
		why, hint = "the model's price is not known, so a budget cannot be guaranteed", "name the price of its tokens, or run without a budget"
	case r.MaxTokens <= 0:
		why, hint = "a request without a token limit may cost any amount, so a budget cannot be guaranteed", "set a token limit, or run without a budget"
	case p.price.UpTo != nil && promptBound(r.Prompt) > *p.price.UpTo:
		why = fmt.Sprintf("the model's price is known for prompts of up to %d tokens, and one of %d bytes may have more, so a budget cannot be guaranteed", *p.price.UpTo, promptBound(r.Prompt))
		hint = "use shorter lengths, name a price for long prompts with --prices FILE, or run without a budget"
	default:
		amount := p.reservation(r)
		if amount < math.MaxInt64 {
			return amount, nil
		}
		why, hint = "the request may cost more than the largest amount of money", "look at the price"
	}
	return 0, &verbatim.Failure{Class: verbatim.Quota, Err: errors.New(why), Hint: hint}
}

// budgetError returns the failure of an errBudget; other errors are returned as they are.
func budgetError(err error) error {
	usedUp, ok := errors.AsType[errBudget](err)
	if !ok {
		return err
	}
	return &verbatim.Failure{Class: verbatim.Quota, Who: "budget", Err: usedUp,
		Hint: "raise the budget and run the same command again: answered items are saved and not sent again"}
}

// settleAnswered settles an attempt with an answer and sets Reply.Cost and Reply.Claimed. If the cost
// is unknown, it is settled with its maximum, which is returned.
func (p reservations) settleAnswered(h *reservation, q verbatim.Request, reply *verbatim.Reply) (maxCost *verbatim.Money) {
	maxCost = p.bill(q, reply)
	if h == nil {
		return maxCost
	}
	h.chargeResent(reply.Attempts)
	cost := h.amount
	switch {
	case reply.Cost != nil:
		cost = *reply.Cost
	case maxCost != nil:
		cost = *maxCost
	}
	p.settle(h, cost)
	return maxCost
}

// settleFailed settles an attempt without an answer and returns its maximum cost: the reservation,
// or nil if it cost nothing or if the cost is unknown.
func (p reservations) settleFailed(h *reservation, err error) (maxCost *verbatim.Money) {
	if h == nil {
		return nil
	}
	if f, ok := errors.AsType[*verbatim.Failure](err); ok {
		h.chargeResent(f.Attempts)
	}
	if mayBeBilled(err) {
		p.settle(h, h.amount)
		return &h.amount
	}
	p.settle(h, 0)
	if p.saved != nil && h.resent == 0 {
		p.saved.Release(h.seq, h.n)
	}
	return nil
}

// settle replaces the reservations of an attempt by its cost. Where the request was sent again, the
// sendings before the last count with their maximum cost. Without a budget it does nothing.
func (p reservations) settle(h *reservation, cost verbatim.Money) {
	if p.budget == nil {
		return
	}
	for range h.resent {
		p.budget.settle(h.amount, h.amount)
	}
	p.budget.settle(h.amount, cost)
}

// chargeResent sets the maximum cost of the sendings before the last, on connections that were
// closed.
func (h *reservation) chargeResent(attempts []verbatim.Attempt) {
	for i := range min(h.resent, len(attempts)-1) {
		attempts[i].Cost = &h.amount
	}
}

// batched returns the reservations of requests that are part of a batch. If the factor for batches is
// unknown, they have the full price. Their amounts follow from the Config alone: those of a batch are
// settled long after they were made.
func (p *Pacer) batched() reservations {
	inBatch := func(price *verbatim.Price) *verbatim.Price {
		if price != nil {
			if b, ok := Batch(*price); ok {
				return &b
			}
		}
		return price
	}
	c := p.Config
	c.Price = inBatch(p.Price)
	c.Served = func(model string) *verbatim.Price {
		price := p.reservations.served(model)
		if price == p.Price {
			return c.Price
		}
		return inBatch(price)
	}
	return newReservations(c)
}

// Afford reserves the maximum costs of the requests of a batch and returns for how many of them,
// from the first, the Budget suffices; all without a Budget. If it does not suffice for the first,
// the error is that of Ask. Call Settle or GiveUp for each of these requests.
func (p *Pacer) Afford(requests []verbatim.Request) (int, error) {
	if p.Budget == nil {
		return len(requests), nil
	}
	reserved := p.batched()
	for i, r := range requests {
		amount, err := reserved.amount(r)
		if err != nil {
			return i, err
		}
		if err := p.Budget.takeNow(amount); err != nil {
			if i > 0 {
				return i, nil
			}
			return 0, budgetError(err)
		}
	}
	return len(requests), nil
}

// Hold reserves the maximum costs of the requests of a batch that the provider has already,
// whether the Budget suffices or not.
func (p *Pacer) Hold(requests []verbatim.Request) {
	if p.Budget == nil {
		return
	}
	reserved := p.batched()
	for _, r := range requests {
		if amount, err := reserved.amount(r); err == nil {
			p.Budget.take(amount)
		}
	}
}

// Settle replaces the reservation of a request of a batch by its cost, and sets Reply.Cost and
// Reply.Claimed. A request with the error err costs nothing: in a batch only answers are billed.
func (p *Pacer) Settle(r verbatim.Request, reply *verbatim.Reply, err error) {
	reserved := p.batched()
	var h *reservation
	if p.Budget != nil {
		if amount, unknown := reserved.amount(r); unknown == nil {
			h = &reservation{amount: amount}
		}
	}
	if err != nil {
		if h != nil {
			reserved.settle(h, 0)
		}
		return
	}
	maxCost := reserved.settleAnswered(h, r, reply)
	if n := len(reply.Attempts); maxCost != nil && n > 0 {
		reply.Attempts[n-1].Cost = maxCost
	}
	if reply.Cost != nil {
		p.mu.Lock()
		p.spent = plus(p.spent, *reply.Cost)
		p.mu.Unlock()
	}
}

// GiveUp settles a request of a batch whose result will not be read, with its maximum cost. It
// returns that cost, nil if it is unknown.
func (p *Pacer) GiveUp(r verbatim.Request) *verbatim.Money {
	reserved := p.batched()
	if reserved.price == nil || r.MaxTokens <= 0 {
		return nil
	}
	amount := reserved.reservation(r)
	if p.Budget != nil {
		p.Budget.settle(amount, amount)
	}
	return &amount
}
