package report

import (
	"math"

	"verbatim"
	"verbatim/internal/store"
)

// A Cost is what answers cost, as far as that is known.
type Cost struct {
	// Dollars is the sum over the replies whose cost is known; nil where none is.
	Dollars *verbatim.Money `json:"dollars"`
	Known   int64           `json:"known"`   // replies with a known cost
	Unknown int64           `json:"unknown"` // replies without
	// MayHave is the most that attempts of unknown cost may have cost: those that
	// failed, and those of replies without credible token counts. It is a bound and no
	// cost, so that it is in no sum with Dollars. Nil where there are none.
	MayHave *verbatim.Money `json:"may_have_dollars,omitempty"`
}

// Paid is the Cost of so many answers, of which the store says what was spent.
func Paid(s store.Spending, answers int64) *Cost {
	b := bill{total: s.Replies, lost: s.Attempts, known: max(answers-s.Unpriced, 0), unknown: s.Unpriced, maybe: s.Attempts > 0}
	return b.finish()
}

// A bill gathers a Cost.
type bill struct {
	total, lost verbatim.Money
	known       int64
	unknown     int64
	maybe       bool
}

func (b *bill) add(rec *verbatim.Record) {
	if r := rec.Reply; r != nil {
		if r.Cost == nil {
			b.unknown++
		} else {
			b.known++
			b.total = together(b.total, *r.Cost)
		}
	}
	list := attempts(rec)
	for i := range list {
		if c := list[i].Cost; c != nil {
			b.lost, b.maybe = together(b.lost, *c), true
		}
	}
}

func (b *bill) merge(o *bill) {
	b.total, b.lost = together(b.total, o.total), together(b.lost, o.lost)
	b.known += o.known
	b.unknown += o.unknown
	b.maybe = b.maybe || o.maybe
}

// finish returns nil where nothing is known of any cost.
func (b *bill) finish() *Cost {
	if b.known == 0 && !b.maybe {
		return nil
	}
	c := &Cost{Known: b.known, Unknown: b.unknown}
	if b.known > 0 {
		c.Dollars = &b.total
	}
	if b.maybe {
		c.MayHave = &b.lost
	}
	return c
}

// Free reports whether a run costs nothing: its price is nothing, and every
// cost of it is known to be nothing. A cost that is not known is not nothing.
func Free(p *verbatim.Price, c *Cost) bool {
	return p != nil && p.Input == 0 && p.Output == 0 && p.Request == 0 && (p.Cached == nil || *p.Cached == 0) &&
		c != nil && c.Unknown == 0 && (c.Dollars == nil || *c.Dollars == 0) && (c.MayHave == nil || *c.MayHave == 0)
}

// together adds amounts that are not negative; the greatest one stands for all
// that lies beyond it, since imported files may hold anything.
func together(a, b verbatim.Money) verbatim.Money {
	b = max(b, 0)
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// attempts returns the tries of a record, of which the last one made it what it is.
func attempts(rec *verbatim.Record) []verbatim.Attempt {
	switch {
	case rec.Reply != nil:
		return rec.Reply.Attempts
	case rec.Failure != nil:
		return rec.Failure.Attempts
	}
	return nil
}
