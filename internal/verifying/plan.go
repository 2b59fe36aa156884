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
	plan, err := o.Selection.Plan()
	if err != nil {
		return nil, err
	}
	deck, err := plan.Deck()
	if err != nil {
		return nil, err
	}
	var all []int
	for i := range o.Models {
		all = append(all, i)
	}
	limits := limitsOf(verbatim.Params{})
	calls, bytes, reply := 0, 0, 0
	add := func(p verbatim.Prompt, tokens int) {
		calls, bytes, reply = calls+1, bytes+app.PromptBytes(p), reply+tokens
	}
	if o.Strict {
		if err := addStrict(e, o, all, add); err != nil {
			return nil, err
		}
		return plansOf(e, len(all), calls, bytes, reply), nil
	}
	for place, ok := deck.Next(); ok; place, ok = deck.Next() {
		it, err := deck.Item(place)
		if err != nil {
			return nil, err
		}
		_, content := limits(it)
		add(deck.Prompt(it), content)
	}
	if o.Logprobs && !slices.ContainsFunc(all, func(i int) bool { return e.Of(i).Wire == "anthropic" }) {
		for _, it := range verification.NewLogprobs(1, verbatim.Params{}, 1, 1).Items() {
			add(it.Prompt, logprobTokens(e, all))
		}
	}
	if o.Tools && !slices.ContainsFunc(all, func(i int) bool { return e.Of(i).Wire == "" }) {
		for _, it := range verification.NewTools(verification.ToolConfig{Seed: 1, Limits: limits}).Items() {
			_, content := limits(&it)
			add(it.Prompt, content)
		}
	}
	if o.Sampling && !slices.ContainsFunc(all, e.Simulated) {
		for _, it := range verification.NewSampling(verbatim.Params{}, 0, o.Alpha, 1).Items() {
			add(it.Prompt, verification.SampledTokens)
		}
	}
	return plansOf(e, len(all), calls, bytes, reply), nil
}

// plansOf returns the plan of each endpoint, with so many calls, bytes and tokens in a test.
func plansOf(e *app.Endpoints, endpoints, calls, bytes, reply int) (plans []*result.CallPlan) {
	for i := range endpoints {
		n := 1
		if i == 0 {
			n = max(1, endpoints-1) // the first endpoint is in every test
		}
		plans = append(plans, e.CallPlan(Kind, i, n*calls, bytes/calls, reply/calls))
	}
	return plans
}

// addStrict adds the calls of a strict test, at most.
func addStrict(e *app.Endpoints, o Options, all []int, add func(verbatim.Prompt, int)) error {
	if o.Logprobs && !slices.ContainsFunc(all, func(i int) bool { return e.Of(i).Wire == "anthropic" }) {
		for _, it := range verification.StrictLogprobs(1, verbatim.Params{}, 1).Items() {
			add(it.Prompt, logprobTokens(e, all))
		}
	}
	p := &pair{endpoints: e, options: o, other: len(all) - 1}
	prompts, err := p.strictPrompts()
	if err != nil {
		return err
	}
	limits := limitsOf(verbatim.Params{})
	list := verification.StrictTexts(1, prompts, verbatim.Params{}, limits).Items()
	for i := range len(list) + verification.MostConfirmed {
		it := &list[i%len(list)]
		_, content := limits(it)
		add(it.Prompt, content)
	}
	return nil
}
