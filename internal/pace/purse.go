package pace

import (
	"context"
	"errors"
	"math"

	"verbatim"
)

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

// amount returns what is to be set aside for a request under a budget.
func (p purse) amount(r verbatim.Request) (verbatim.Money, error) {
	why, hint := "", ""
	switch {
	case p.price == nil:
		why, hint = "the model's price is not known, so a budget cannot be kept", "name the price of its tokens, or ask without a budget"
	case r.MaxTokens <= 0:
		why, hint = "a request without a token limit may cost any amount, so a budget cannot be kept", "set a token limit, or ask without a budget"
	default:
		amount := Reservation(*p.price, r)
		if amount < math.MaxInt64 {
			return amount, nil
		}
		why, hint = "the request may cost more than can be counted", "look at the price"
	}
	return 0, &verbatim.Failure{Class: verbatim.Quota, Who: "budget", Err: errors.New(why), Hint: hint}
}

// noMoney makes a failure of an errNoMoney; other errors stay as they are.
func noMoney(err error) error {
	var none errNoMoney
	if !errors.As(err, &none) {
		return err
	}
	return &verbatim.Failure{Class: verbatim.Quota, Who: "budget", Err: none,
		Hint: "raise the budget and run the same command again: what is answered is kept and not asked again"}
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
