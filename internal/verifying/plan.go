package verifying

import (
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/verdict/verification"
)

// Plan returns the calls that a command would send to each endpoint, at most. It sends nothing.
func Plan(ctx context.Context, a *app.App, o Options) ([]*report.CallPlan, error) {
	o.ModelOptions.NoRequests = true
	e, err := a.OpenEndpoints(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	total := make([]callCount, len(o.Models))
	for other := 1; other < len(o.Models); other++ {
		p := &pair{endpoints: e, options: o, other: other}
		c, err := p.countCalls()
		if err != nil {
			return nil, err
		}
		for _, i := range p.sides() {
			total[i].merge(c)
		}
	}
	var plans []*report.CallPlan
	for i, c := range total {
		plans = append(plans, c.plan(e, i))
	}
	return plans, nil
}

// A callCount adds up the calls to one endpoint, at most.
type callCount struct{ calls, bytes, reply int } // bytes of prompts, tokens of replies

func (c *callCount) merge(o callCount) {
	c.calls, c.bytes, c.reply = c.calls+o.calls, c.bytes+o.bytes, c.reply+o.reply
}

// plan returns the plan of the endpoint with an index.
func (c *callCount) plan(e *app.Endpoints, i int) *report.CallPlan {
	return e.CallPlan(kind, i, c.calls, c.bytes/c.calls, c.reply/c.calls)
}

// addItems adds a call for each item.
func (c *callCount) addItems(items []verbatim.Item, tokens func(*verbatim.Item) int) {
	for i := range items {
		c.merge(callCount{1, run.PromptBytes(items[i].Prompt), tokens(&items[i])})
	}
}

// countCalls counts the calls of a test to each of its endpoints, at most.
func (p *pair) countCalls() (c callCount, err error) {
	texts, err := p.textItems()
	if err != nil {
		return c, err
	}
	c.addItems(texts, contentTokens)
	if p.options.Logprobs && p.withoutLogprobs() == "" {
		c.addItems(verification.NewLogprobs(1, verbatim.Params{}, 1, 1).Items(), func(*verbatim.Item) int { return p.logprobTokens() })
	}
	if p.options.Tools && p.withoutTools() == "" {
		limits := limitsOf(verbatim.Params{})
		c.addItems(verification.NewTools(verification.ToolConfig{Seed: 1, Limits: limits}).Items(), contentTokens)
	}
	return c, nil
}

// contentTokens is the token limit of a reply without reasoning.
func contentTokens(it *verbatim.Item) int {
	_, content := limitsOf(verbatim.Params{})(it)
	return content
}

// textItems returns an item for each call of the texts.
func (p *pair) textItems() (items []verbatim.Item, err error) {
	prompts, err := p.drawPrompts(p.options.Selection.Seed)
	if err != nil {
		return nil, err
	}
	for _, position := range slices.Concat(prompts.positions[:]...) {
		r, err := prompts.request(position)
		if err != nil {
			return nil, err
		}
		it := *r.Item
		it.Prompt = r.Prompt
		items = append(items, it)
	}
	return items, nil
}
