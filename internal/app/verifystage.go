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

// A verifyStage is a probe of a verification with requests of its own. It has runs of its own:
// their requests have other parameters.
type verifyStage struct {
	Job
	probe    verification.ProbeName
	test     stageTest
	params   func(*verbatim.Params) // sets what its requests have in place of the options
	inFlight int
	what     string // what is sent, for the progress line: "calls for log probabilities"
}

// A stageTest is what a verifyStage sends. Side is 0 or 1.
type stageTest interface {
	Items() []verbatim.Item
	Resume(side int, rec *verbatim.Record)
	Source(side int) verbatim.Source
	Progress() (ended, all int)
}

// compareLogprobs compares log probabilities, and returns the result; nil if an endpoint is known
// not to offer them, or does not.
func (v *Verification) compareLogprobs(stop, abort context.Context) (*verification.LogprobResult, error) {
	if !v.options.Logprobs {
		return nil, nil
	}
	for _, t := range v.targets {
		if t.Simulated || t.Wire == "anthropic" || !t.BuiltIn && t.Wire == "" {
			return nil, nil
		}
	}
	seed := draw.Rand("verify", 1, v.pair(), v.options.Selection.Seed, uint64(v.earlier)).Uint64()
	test := verification.NewLogprobs(seed, over(v.targets[0].Params, v.options.Params), logprobTokens(v.targets))
	s := &verifyStage{probe: verification.Logprobs, test: test, inFlight: verification.MaxLogprobsInFlight, what: "calls for log probabilities",
		params: func(p *verbatim.Params) { p.Logprobs = verification.Alternatives }}
	if err := v.runStage(stop, abort, s); err != nil {
		return nil, err
	}
	result, err := test.Result()
	if err != nil || !result.Offered {
		return nil, err
	}
	return result, nil
}

// samples reports whether replies at a temperature are compared. Simulated models answer from the
// right answer, which an open question does not have; other programs have no temperature.
func (v *Verification) samples() bool {
	return v.options.Sampling && !slices.ContainsFunc(v.targets, func(t target) bool { return t.Simulated || !t.BuiltIn && t.Wire == "" })
}

// compareSampled compares replies at a temperature, and adds the result to the test.
func (v *Verification) compareSampled(stop, abort context.Context) error {
	reasoning, err := v.reasoningTokens(stop, v.targets)
	if err != nil {
		return err
	}
	level := verification.Level(v.options.Alpha, v.test.Logprobs != nil, true)
	test := verification.NewSampling(over(v.targets[0].Params, v.options.Params), reasoning, level)
	temperature := test.Temperature()
	s := &verifyStage{probe: verification.Sampling, test: test, inFlight: verification.MaxInFlight, what: "sampled replies",
		params: func(p *verbatim.Params) { p.Temperature = &temperature }}
	err = v.runStage(stop, abort, s)
	v.test.AddSampling(test.Result())
	return err
}

// runStage sends the requests of a stage.
func (v *Verification) runStage(stop, abort context.Context, s *verifyStage) error {
	s.Job = Job{app: v.app, options: v.Job.options, store: v.store, targets: v.targets}
	s.options.KeepGoing, s.options.Batch = true, false
	v.stages = append(v.stages, s)
	if err := s.begin(stop, v); err != nil {
		return err
	}
	if !v.limitTime(&s.Job) {
		return nil
	}
	return s.send(stop, abort)
}

// begin finds or makes the runs of both sides, and their lanes.
func (s *verifyStage) begin(ctx context.Context, v *Verification) (err error) {
	if s.plan, err = planOf(VerifyKind, s.test.Items()); err != nil {
		return err
	}
	for side, t := range s.targets {
		want := s.app.runOf(t, s.plan.Plan, s.options.Params)
		s.params(&want.Params)
		want.Test = &verbatim.Test{Kind: VerifyKind, Settings: v.settings(side)}
		want.Test.Settings["probe"] = string(s.probe)
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
	if err := v.shareBudget(ctx, &s.Job); err != nil {
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
		lane.Jobs, lane.InFlight = s.inFlight, s.inFlight
		s.lanes = append(s.lanes, lane)
	}
	s.lastFailure = make([]*verbatim.Failure, len(s.lanes))
	s.progressText = func() string {
		ended, all := s.test.Progress()
		return fmt.Sprintf("%d of %d %s", ended, all, s.what)
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
	limits := verifyLimitsOf(verbatim.Params{})
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
	if o.Sampling && !slices.ContainsFunc(targets, func(t target) bool { return t.Simulated }) {
		for _, it := range verification.NewSampling(verbatim.Params{}, 0, o.Alpha).Items() {
			add(it.Prompt, verification.SampledTokens)
		}
	}
	for _, t := range targets {
		plans = append(plans, callPlan("verify", t, calls, bytes/calls, reply/calls))
	}
	return plans, nil
}
