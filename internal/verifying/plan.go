package verifying

import (
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/report/result"
	"verbatim/internal/verdict/verification"
)

// Plan returns what a command would send at most to each endpoint. It sends nothing to the models.
func Plan(ctx context.Context, a *app.App, o Options) ([]*result.CallPlan, error) {
	o.ModelOptions.NoRequests = true
	e, err := a.OpenEndpoints(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	o.Selection.Trials = 2
	drawn, err := o.Selection.Plan()
	if err != nil {
		return nil, err
	}
	c := callCount{endpoints: e, options: o}
	for i := range o.Models {
		c.all = append(c.all, i)
	}
	if o.Strict {
		if err := c.addStrict(); err != nil {
			return nil, err
		}
		return c.plans(), nil
	}
	arms := o.Arms
	if len(arms) == 0 {
		arms = []verification.Arm{verification.DefaultArm()}
	}
	parts := map[int][]*result.CallPlan{}
	for _, arm := range arms {
		one := callCount{endpoints: e, options: o, all: c.all}
		if err := one.addArm(drawn, arm); err != nil {
			return nil, err
		}
		for i, p := range one.plans() {
			p.Arm = arm.String()
			parts[i] = append(parts[i], p)
		}
		c.calls, c.bytes, c.reply = c.calls+one.calls, c.bytes+one.bytes, c.reply+one.reply
	}
	plans := c.plans()
	for i, p := range plans {
		if len(arms) > 1 {
			p.Arms = parts[i]
		}
	}
	return plans, nil
}

// A callCount adds up what a test sends to each endpoint, at most.
type callCount struct {
	endpoints *app.Endpoints
	options   Options
	all       []int // indexes of the endpoints

	calls, bytes, reply int // reply: tokens
}

func (c *callCount) add(p verbatim.Prompt, tokens int) {
	c.calls, c.bytes, c.reply = c.calls+1, c.bytes+app.PromptBytes(p), c.reply+tokens
}

// addArm adds the calls of an arm, with its warm-ups.
func (c *callCount) addArm(drawn app.Plan, arm verification.Arm) error {
	e, o := c.endpoints, c.options
	limits := limitsOf(verbatim.Params{})
	prompts, err := newPromptPlan(drawn, arm, 1)
	if err != nil {
		return err
	}
	var items []verbatim.Item
	for _, trial := range prompts.positions {
		for _, position := range trial {
			r, err := prompts.request(position)
			if err != nil {
				return err
			}
			it := *r.Item
			it.Prompt = r.Prompt
			items = append(items, it)
		}
	}
	content := func(it *verbatim.Item) int {
		_, n := limits(it)
		return n
	}
	c.addItems(arm, items, content)
	if o.Logprobs && !slices.ContainsFunc(c.all, func(i int) bool { return e.Of(i).Wire == "anthropic" }) {
		test := verification.NewLogprobs(1, verbatim.Params{}, 1, 1)
		test.In(arm, 1)
		c.addItems(arm, test.Items(), func(*verbatim.Item) int { return logprobTokens(e, c.all) })
	}
	if o.Tools && !slices.ContainsFunc(c.all, func(i int) bool { return e.Of(i).Wire == "" }) {
		c.addItems(arm, verification.NewTools(verification.ToolConfig{Seed: 1, Limits: limits, Arm: arm}).Items(), content)
	}
	if o.Sampling && !slices.ContainsFunc(c.all, e.Simulated) {
		test := verification.NewSampling(verbatim.Params{}, 0, o.Alpha, 1)
		test.In(arm, 1)
		c.addItems(arm, test.Items(), func(*verbatim.Item) int { return verification.SampledTokens })
	}
	return nil
}

// addItems adds the calls of a probe.
func (c *callCount) addItems(arm verification.Arm, items []verbatim.Item, tokens func(*verbatim.Item) int) {
	if arm.Prefix == verification.Warm {
		items = append(slices.Clip(items), verification.NewWarmUp(items).Items()...)
	}
	for i := range items {
		c.add(items[i].Prompt, tokens(&items[i]))
	}
}

// plans returns the plan of each endpoint.
func (c *callCount) plans() (plans []*result.CallPlan) {
	for i := range c.all {
		n := 1
		if i == 0 {
			n = max(1, len(c.all)-1) // the first endpoint is in every test
		}
		plans = append(plans, c.endpoints.CallPlan(Kind, i, n*c.calls, c.bytes/c.calls, c.reply/c.calls))
	}
	return plans
}

// addStrict adds the calls of a strict test, at most.
func (c *callCount) addStrict() error {
	e, o := c.endpoints, c.options
	if o.Logprobs && !slices.ContainsFunc(c.all, func(i int) bool { return e.Of(i).Wire == "anthropic" }) {
		for _, it := range verification.StrictLogprobs(1, verbatim.Params{}, 1).Items() {
			c.add(it.Prompt, logprobTokens(e, c.all))
		}
	}
	p := &pair{endpoints: e, options: o, other: len(c.all) - 1}
	prompts, err := p.strictPrompts()
	if err != nil {
		return err
	}
	limits := limitsOf(verbatim.Params{})
	list := verification.StrictTexts(1, prompts, verbatim.Params{}, limits).Items()
	for i := range len(list) + verification.MostConfirmed {
		it := &list[i%len(list)]
		_, content := limits(it)
		c.add(it.Prompt, content)
	}
	return nil
}
