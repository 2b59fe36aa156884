package report

import (
	"math"

	"verbatim"
	"verbatim/internal/store"
)

// A Cost is what answers cost, as far as that is known.
type Cost struct {
	// Dollars is the sum over the replies whose cost is known; nil without such replies.
	Dollars *verbatim.Money `json:"dollars"`
	Known   int64           `json:"known"`   // replies with a known cost
	Unknown int64           `json:"unknown"` // replies without
	// MayHave is the maximum cost of the attempts whose cost is unknown: those that failed,
	// and those of replies without credible token counts. It is an upper bound, so it is never
	// added to Dollars. It is nil without such attempts.
	MayHave *verbatim.Money `json:"may_have_dollars,omitempty"`
}

// Paid returns the Cost of so many answers, given what was spent on them.
func Paid(s store.Spending, answers int64) *Cost {
	b := bill{total: s.Replies, lost: s.Attempts, known: max(answers-s.Unpriced, 0), unknown: s.Unpriced, maybe: s.Attempts > 0}
	return b.finish()
}

// A bill gathers a Cost.
type bill struct {
	total          verbatim.Money // of replies
	lost           verbatim.Money // maximum of the attempts of unknown cost
	known, unknown int64          // replies
	maybe          bool           // there are attempts of unknown cost
}

func (b *bill) add(rec *verbatim.Record) {
	if r := rec.Reply; r != nil {
		if r.Cost == nil {
			b.unknown++
		} else {
			b.known++
			b.total = addMoney(b.total, *r.Cost)
		}
	}
	list := rec.Attempts()
	for i := range list {
		if c := list[i].Cost; c != nil {
			b.lost, b.maybe = addMoney(b.lost, *c), true
		}
	}
}

func (b *bill) merge(o *bill) {
	b.total, b.lost = addMoney(b.total, o.total), addMoney(b.lost, o.lost)
	b.known += o.known
	b.unknown += o.unknown
	b.maybe = b.maybe || o.maybe
}

// finish returns nil if no cost is known, not even a maximum.
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

// Free reports whether a run costs nothing: its price is known to be 0, and so is every cost.
func Free(p *verbatim.Price, c *Cost) bool {
	if p == nil || c == nil || c.Unknown != 0 {
		return false
	}
	zero := func(m *verbatim.Money) bool { return m == nil || *m == 0 }
	return p.Input == 0 && p.Output == 0 && p.Request == 0 && zero(p.Cached) && zero(c.Dollars) && zero(c.MayHave)
}

// addMoney returns a + b, at most the largest amount. A negative b counts as 0. Imported files may
// hold any amount.
func addMoney(a, b verbatim.Money) verbatim.Money {
	b = max(b, 0)
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// retries counts the requests with more than one attempt.
type retries struct {
	n      int64
	exact  exactCount // of those that were answered in the end
	resent int64      // attempts on another connection, since the server had closed an idle one: no retry
}

func (r *retries) add(rec *verbatim.Record, m *entry) {
	list := rec.Attempts()
	if len(list) == 0 {
		return
	}
	for i := range list[1:] {
		if list[i].N == list[i+1].N && list[i].N > 0 {
			r.resent++
		}
	}
	if last := list[len(list)-1].N; last == 1 || last <= 0 && len(list) == 1 {
		return
	}
	r.n++
	if m.answered {
		r.exact.add(m)
	}
}

func (r *retries) merge(o *retries) {
	r.n += o.n
	r.exact.merge(&o.exact)
	r.resent += o.resent
}

// finish returns nil if no request was retried.
func (r *retries) finish() *Retried {
	if r.n == 0 {
		return nil
	}
	return &Retried{r.n, r.exact.rate(&r.n)}
}
