package pace

import (
	"context"
	"errors"
	"fmt"
	"math"

	"verbatim"
)

// ReservationStore saves reservations durably, so that a kill at any moment loses none.
// The numbers are those of a request: Seq and Attempt.
type ReservationStore interface {
	// Reserve returns when the reservation is on the disk. It adds to one of the same
	// numbers.
	Reserve(ctx context.Context, seq int64, n int, amount verbatim.Money) error
	// Release removes the reservation of an attempt that is certainly not on the bill.
	// What stays is removed when the record of the request is saved.
	Release(seq int64, n int)
}

// A reservations pays for the requests of one endpoint.
type reservations struct {
	price  *verbatim.Price
	budget *Budget          // nil: without bounds
	saved  ReservationStore // nil: reservations are not saved
}

// A reservation is money that is set aside for one attempt.
type reservation struct {
	amount verbatim.Money
	seq    int64
	n      int
	resent int // how often the request was sent again on another connection
}

// hold sets aside what a try may cost. It returns nil where it is unknown: no
// price or no token limit, and no budget.
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

// resend sets the same amount aside once more, for a request that is to be sent again
// on another connection. It does not wait for money: without, the request has failed,
// and is tried again when its turn comes.
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

// amount returns what is to be set aside for a request under a budget.
func (p reservations) amount(r verbatim.Request) (verbatim.Money, error) {
	why, hint := "", ""
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
		why, hint = "the request may cost more than can be counted", "look at the price"
	}
	return 0, &verbatim.Failure{Class: verbatim.Quota, Err: errors.New(why), Hint: hint}
}

// budgetError makes a failure of an errBudget; other errors stay as they are.
func budgetError(err error) error {
	var none errBudget
	if !errors.As(err, &none) {
		return err
	}
	return &verbatim.Failure{Class: verbatim.Quota, Who: "budget", Err: none,
		Hint: "raise the budget and run the same command again: answered items are saved and not sent again"}
}

// settleAnswered settles a try that was answered and fills Reply.Cost and Reply.Claimed. Where
// the cost is not known it returns the most that it may have been, which counts.
func (p reservations) settleAnswered(h *reservation, q verbatim.Request, reply *verbatim.Reply) *verbatim.Money {
	most := bill(p.price, q, reply)
	if h == nil {
		return most
	}
	h.chargeResent(reply.Attempts)
	if p.budget == nil {
		return most
	}
	cost := h.amount
	switch {
	case reply.Cost != nil:
		cost = *reply.Cost
	case most != nil:
		cost = *most
	}
	p.settle(h, cost)
	return most
}

// settleFailed settles a try without an answer and returns what it may have cost: the
// whole reservation, or nil where it cost nothing or it is unknown.
func (p reservations) settleFailed(h *reservation, err error) *verbatim.Money {
	if h == nil {
		return nil
	}
	var f *verbatim.Failure
	if errors.As(err, &f) {
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

// settle replaces what was set aside by what the last try cost. Those before it, on
// connections that were closed, cost the most they can.
func (p reservations) settle(h *reservation, cost verbatim.Money) {
	if p.budget == nil {
		return
	}
	for range h.resent {
		p.budget.settle(h.amount, h.amount)
	}
	p.budget.settle(h.amount, cost)
}

// chargeResent says of the attempts of a try, the last one apart, what they may have
// cost.
func (h *reservation) chargeResent(attempts []verbatim.Attempt) {
	for i := range min(h.resent, len(attempts)-1) {
		attempts[i].Cost = &h.amount
	}
}
