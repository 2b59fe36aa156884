package report

import (
	"verbatim"
	"verbatim/internal/grade/traits"
)

// NoContent are the answers that the token limit stopped before any content: the model was
// still reasoning.
type NoContent struct {
	N    int64 `json:"n"`
	Of   int64 `json:"of"`             // answers
	Cost *Cost `json:"cost,omitempty"` // of these answers; nil if nothing is known of it
}

// noContent counts them.
type noContent struct {
	n    int64
	bill bill
}

func (c *noContent) add(rec *verbatim.Record, m *entry) {
	if rec.Outcome == verbatim.Truncated && m.label == traits.LabelEmpty {
		c.n++
		c.bill.merge(&m.bill)
	}
}

func (c *noContent) merge(o *noContent) {
	c.n += o.n
	c.bill.merge(&o.bill)
}

func (c *noContent) finish(answered int64) *NoContent {
	if c.n == 0 {
		return nil
	}
	return &NoContent{N: c.n, Of: answered, Cost: c.bill.finish()}
}

// costText is what the answers cost, for a sentence; "" if that is unknown or nothing.
func (e *NoContent) costText() string {
	if e.Cost == nil || e.Cost.Dollars == nil || *e.Cost.Dollars == 0 {
		return ""
	}
	return ", and cost " + e.Cost.Dollars.String()
}
