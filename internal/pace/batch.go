package pace

import "verbatim"

// batchPrice returns the price of a request as part of a batch. If the factor for batches is
// unknown, it is the full price. nil: no price is known.
func (p *Pacer) batchPrice() *verbatim.Price {
	if p.Price == nil {
		return nil
	}
	if b, ok := Batch(*p.Price); ok {
		return &b
	}
	return p.Price
}

// Afford reserves the maximum costs of the requests of a batch and returns for how many of them,
// from the first, the Budget suffices; all without a Budget. If it does not suffice for the first,
// the error is that of Ask. Call Settle or GiveUp for each of these requests.
func (p *Pacer) Afford(requests []verbatim.Request) (int, error) {
	if p.Budget == nil {
		return len(requests), nil
	}
	reserved := reservations{price: p.batchPrice(), budget: p.Budget}
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
	reserved := reservations{price: p.batchPrice(), budget: p.Budget}
	for _, r := range requests {
		if amount, err := reserved.amount(r); err == nil {
			p.Budget.take(amount)
		}
	}
}

// Settle replaces the reservation of a request of a batch by its cost, and sets Reply.Cost and
// Reply.Claimed. A request with the error err costs nothing: in a batch only answers are billed.
func (p *Pacer) Settle(r verbatim.Request, reply *verbatim.Reply, err error) {
	reserved := reservations{price: p.batchPrice(), budget: p.Budget}
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
	price := p.batchPrice()
	if price == nil || r.MaxTokens <= 0 {
		return nil
	}
	amount := Reservation(*price, r)
	if p.Budget != nil {
		p.Budget.settle(amount, amount)
	}
	return &amount
}
