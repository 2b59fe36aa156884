package pace

import "verbatim"

// batchPrice is what a request costs as part of a batch: the full price where it
// is not known what a batch multiplies it by. nil: no price is known.
func (p *Pacer) batchPrice() *verbatim.Price {
	if p.Price == nil {
		return nil
	}
	if b, ok := Batch(*p.Price); ok {
		return &b
	}
	return p.Price
}

// Afford sets aside what requests of a batch may cost and returns for how many of
// them, from the first, there is money; all without a Budget. If the money does
// not do for the first, the error is that of Ask. What is set aside is held until
// Settle is called for the request.
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

// Hold sets aside what requests of a batch that is out may cost, whether there is
// money for them or not: they are handed over already.
func (p *Pacer) Hold(requests []verbatim.Request) {
	if p.Budget == nil {
		return
	}
	reserved := reservations{price: p.batchPrice(), budget: p.Budget}
	for _, r := range requests {
		if amount, err := reserved.amount(r); err == nil {
			p.Budget.takeAnyway(amount)
		}
	}
}

// Settle replaces what was set aside for a request of a batch by what it came to
// cost, and fills Reply.Cost and Reply.Claimed. A request without an answer costs nothing: in a
// batch only answers are billed.
func (p *Pacer) Settle(r verbatim.Request, reply *verbatim.Reply, err error) {
	price := p.batchPrice()
	var most *verbatim.Money
	if err == nil {
		most = bill(price, r, reply)
	}
	if n := len(reply.Attempts); most != nil && n > 0 {
		reply.Attempts[n-1].Cost = most
	}
	if err == nil && reply.Cost != nil {
		p.mu.Lock()
		p.spent = plus(p.spent, *reply.Cost)
		p.mu.Unlock()
	}
	if p.Budget == nil {
		return
	}
	amount, unknown := reservations{price: price, budget: p.Budget}.amount(r)
	if unknown != nil {
		return // nothing was set aside
	}
	cost := amount
	switch {
	case err != nil:
		cost = 0
	case reply.Cost != nil:
		cost = *reply.Cost
	case most != nil:
		cost = *most
	}
	p.Budget.settle(amount, cost)
}

// GiveUp settles a request of a batch that no caller waits for any more, and returns the
// most that it may cost, which counts; nil where it is unknown.
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
