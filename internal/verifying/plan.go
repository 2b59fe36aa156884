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
func Plan(ctx context.Context, a *app.App, o Options) (plans []*result.CallPlan, err error) {
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
	for i := range all {
		n := 1
		if i == 0 {
			n = max(1, len(all)-1) // the first endpoint is in every test
		}
		plans = append(plans, e.CallPlan(Kind, i, n*calls, bytes/calls, reply/calls))
	}
	return plans, nil
}
