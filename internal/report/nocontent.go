package report

import (
	"verbatim"
	"verbatim/internal/grade/traits"
)

// noContent gathers a NoContent.
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

// costText continues a sentence with the cost of the answers; "" if it is unknown or 0.
func (e *NoContent) costText() string {
	if e.Cost == nil || e.Cost.Dollars == nil || *e.Cost.Dollars == 0 {
		return ""
	}
	return ", and cost " + e.Cost.Dollars.String()
}
