package pace

import (
	"context"
	"errors"
	"fmt"
	"math"

	"verbatim"
)

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
	budget *Budget          // nil: there is no budget
	saved  reservationStore // nil: reservations are not saved
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
		h.amount = Reservation(*p.price, r)
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
		amount := Reservation(*p.price, r)
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
	maxCost = bill(p.price, q, reply)
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
