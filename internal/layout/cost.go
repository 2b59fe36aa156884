package layout

import (
	"verbatim/internal/number"
	"verbatim/internal/report"
)

// CostText prints a known cost, with a plus if the cost of some replies is unknown.
func CostText(c *report.Cost) string {
	switch {
	case c == nil || c.Dollars == nil:
		return number.Missing
	case c.Unknown > 0:
		return c.Dollars.String() + "+"
	}
	return c.Dollars.String()
}

// costWords says in words what a run has cost, and what is unknown of it. It is nil without a cost.
func costWords(c *report.Cost) []string {
	if c == nil {
		return nil
	}
	var parts []string
	switch {
	case c.Dollars != nil && c.Unknown > 0:
		parts = append(parts, c.Dollars.String()+" for "+number.Plural(c.Known, "reply", "replies"))
	case c.Dollars != nil:
		parts = append(parts, c.Dollars.String())
	}
	if c.Unknown > 0 {
		parts = append(parts, "unknown for "+number.Plural(c.Unknown, "reply", "replies"))
	}
	if c.MayHave != nil {
		parts = append(parts, "attempts of unknown cost may have cost up to "+c.MayHave.String())
	}
	return parts
}

// retries describes the outcomes of requests with more than one attempt.
func retries(r *report.Retried) []string {
	if r == nil {
		return nil
	}
	parts := []string{number.Plural(r.N, "request was", "requests were") + " tried more than once"}
	if r.Exact.Of > 0 {
		parts = append(parts, number.Count(r.Exact.N)+" of "+number.Plural(r.Exact.Of, "answer", "answers")+" exact ("+number.Percent(r.Exact.Share)+" %, "+number.PercentRange(r.Exact.Low, r.Exact.High, 1)+")")
	} else {
		parts = append(parts, "none was answered")
	}
	return parts
}
