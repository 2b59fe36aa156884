package report

import "verbatim"

// CallPlanFormat names the JSON form of a CallPlan.
const CallPlanFormat = "verbatim/call-plan/1"

// A CallPlan is the maximum that a test would send. Its JSON form is the format
// "verbatim/call-plan/1".
type CallPlan struct {
	Format     string `json:"format"`
	Kind       string `json:"command"`
	Model      string `json:"model"`
	Calls      int    `json:"calls_at_most"`
	Prompt     int64  `json:"prompt_tokens"`             // an estimate: a token for four bytes, and eight for each prompt
	Completion int64  `json:"completion_tokens_at_most"` // without reasoning
	// Cost is the maximum cost; nil if the price is unknown.
	Cost *verbatim.Money `json:"cost_usd_at_most"`
}

// Times returns the plan of another number of calls of the same kind. p must have a call.
func (p CallPlan) Times(calls int) *CallPlan {
	share := func(n int64) int64 { return n * int64(calls) / int64(p.Calls) }
	if p.Cost != nil {
		cost := verbatim.Money(share(int64(*p.Cost)))
		p.Cost = &cost
	}
	p.Prompt, p.Completion, p.Calls = share(p.Prompt), share(p.Completion), calls
	return &p
}

// Plus returns the plan of both, with the names of p. If one cost is unknown, so is the sum.
func (p CallPlan) Plus(o *CallPlan) *CallPlan {
	if p.Cost != nil && o.Cost != nil {
		cost := *p.Cost + *o.Cost
		p.Cost = &cost
	} else {
		p.Cost = nil
	}
	p.Calls, p.Prompt, p.Completion = p.Calls+o.Calls, p.Prompt+o.Prompt, p.Completion+o.Completion
	return &p
}
