package app

import (
	"context"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/report/result"
	"verbatim/internal/store"
	"verbatim/internal/verdict/verification"
)

// logprobTokens is the token limit of a call for log probabilities: one token, or the smallest
// limit of the Responses API.
func logprobTokens(targets []target) int {
	for _, t := range targets {
		if t.Wire == "responses" {
			return 16
		}
	}
	return 1
}

// A logprobStage is the part of a verification that compares log probabilities. It has runs of
// its own: their requests have other parameters.
type logprobStage struct {
	Job
	test *verification.LogprobTest
}

// compareLogprobs runs the stage, and returns its result; nil if an endpoint is known not to
// offer log probabilities, or does not.
func (v *Verification) compareLogprobs(stop, abort context.Context) (*verification.LogprobResult, error) {
	if !v.options.Logprobs {
		return nil, nil
	}
	for _, t := range v.targets {
		if t.Simulated || t.Wire == "anthropic" || !t.BuiltIn && t.Wire == "" {
			return nil, nil
		}
	}
	s := &logprobStage{Job: Job{app: v.app, options: v.Job.options, store: v.store, targets: v.targets}}
	s.options.KeepGoing, s.options.Batch = true, false
	v.stage = s
	seed := draw.Rand("verify", 1, v.pair(), v.options.Selection.Seed, uint64(v.earlier)).Uint64()
	s.test = verification.NewLogprobs(seed, over(v.targets[0].Params, v.options.Params), logprobTokens(v.targets))
	if err := s.begin(stop, v); err != nil {
		return nil, err
	}
	if err := s.send(stop, abort); err != nil {
		return nil, err
	}
	result, err := s.test.Result()
	if err != nil || !result.Offered {
		return nil, err
	}
	return result, nil
}

// begin finds or makes the runs of both sides, and their lanes.
func (s *logprobStage) begin(ctx context.Context, v *Verification) (err error) {
	if s.plan, err = planOf(VerifyKind, s.test.Items()); err != nil {
		return err
	}
	for side, t := range s.targets {
		want := s.app.runOf(t, s.plan.Plan, s.options.Params)
		want.Params.Logprobs = verification.Alternatives
		want.Test = &verbatim.Test{Kind: VerifyKind, Settings: v.settings(side)}
		want.Test.Settings["probe"] = string(verification.Logprobs)
		r, existed, err := s.store.Begin(ctx, want, s.options.New)
		if err != nil {
			return err
		}
		if err := s.app.prove(ctx, s.store, r, t.options); err != nil {
			return err
		}
		s.runs = append(s.runs, r)
		if existed {
			for rec, err := range s.store.Records(ctx, r.N, store.Read{Texts: true}) {
				if err != nil {
					return err
				}
				s.test.Resume(side, &rec)
			}
		}
	}
	if err := s.openBudget(ctx); err != nil {
		return err
	}
	for side, r := range s.runs {
		t := s.targets[side]
		t.Slots, t.Waiting = nil, nil // the test says how many requests are in flight
		lane, err := s.laneOf(r, t, func(*store.Positions) (verbatim.Source, error) { return s.test.Source(side), nil })
		if err != nil {
			return err
		}
		lane.Batch = nil
		lane.Jobs, lane.InFlight = verification.MaxLogprobsInFlight, verification.MaxLogprobsInFlight
		s.lanes = append(s.lanes, lane)
	}
	s.lastFailure = make([]*verbatim.Failure, len(s.lanes))
	s.progressText = func() string {
		ended, all := s.test.Progress()
		return fmt.Sprintf("%d of %d calls for log probabilities", ended, all)
	}
	return nil
}

// PlanVerify returns what a verification would send at most to each endpoint. It sends nothing to
// the models.
func (a *App) PlanVerify(ctx context.Context, o VerifyOptions) (plans []*result.CallPlan, err error) {
	o.ModelOptions.NoRequests = true
	targets, err := a.openTargets(ctx, o.Models, o.ModelOptions)
	if err != nil {
		return nil, err
	}
	defer closeTargets(targets)
	o.Selection.Trials = 2
	plan, err := o.Selection.Plan()
	if err != nil {
		return nil, err
	}
	deck, err := plan.Deck()
	if err != nil {
		return nil, err
	}
	limits := tokenLimits(verbatim.Params{})
	calls, bytes, reply := 0, 0, 0
	add := func(p verbatim.Prompt, tokens int) { calls, bytes, reply = calls+1, bytes+promptBytes(p), reply+tokens }
	for place, ok := deck.Next(); ok; place, ok = deck.Next() {
		it, err := deck.Item(place)
		if err != nil {
			return nil, err
		}
		_, content := limits(it)
		add(deck.Prompt(it), content)
	}
	if o.Logprobs && !slices.ContainsFunc(targets, func(t target) bool { return t.Wire == "anthropic" }) {
		for _, it := range verification.NewLogprobs(1, verbatim.Params{}, 1).Items() {
			add(it.Prompt, logprobTokens(targets))
		}
	}
	for _, t := range targets {
		plans = append(plans, callPlan("verify", t, calls, bytes/calls, reply/calls))
	}
	return plans, nil
}
