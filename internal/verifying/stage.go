package verifying

import (
	"context"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/draw"
	"verbatim/internal/model"
	"verbatim/internal/verdict/verification"
)

// A stage is a probe of a test with requests of its own, or calls of a tool. It has runs of its
// own: their requests have other parameters.
type stage struct {
	probe    verification.ProbeName // or toolCalls
	test     stageTest
	params   func(*verbatim.Params) // sets what its requests have in place of the options
	inFlight int
	skipped  bool                                                            // nothing is sent
	limits   func(verbatim.Params) func(*verbatim.Item) (reply, content int) // nil: the requests have them
	what     string                                                          // what is sent, for the progress line: "calls for log probabilities"
	round    *app.Round
}

// A stageTest is what a stage sends. Side is 0 or 1.
type stageTest interface {
	Items() []verbatim.Item
	Resume(side int, rec *verbatim.Record)
	Source(side int) verbatim.Source
	Progress() (ended, all int)
	Ended() bool // nothing is left to send
}

// compareLogprobs compares log probabilities, and returns the result; nil if they are left out, or
// an endpoint does not offer them. Absence says which one, and why.
func (p *pair) compareLogprobs(stop, abort context.Context) (found *verification.LogprobResult, absence string, err error) {
	if !p.options.Logprobs {
		return nil, "", nil
	}
	if absence = p.withoutLogprobs(); absence != "" {
		return nil, absence, nil
	}
	seed := draw.Rand("verify", 1, p.names(), p.options.Selection.Seed, uint64(p.earlier)).Uint64()
	test := verification.NewLogprobs(seed, p.endpoints.Params(0), logprobTokens(p.endpoints, p.sides()), p.options.MaxMissing)
	test.Apart(p.upstream())
	test.In(p.arm, seed)
	err = p.runStage(stop, abort, &stage{probe: verification.Logprobs, test: test, inFlight: p.arm.MaxLogprobsInFlight(), what: "calls for log probabilities",
		params: func(p *verbatim.Params) { p.Logprobs = verification.Alternatives }})
	if err != nil {
		return nil, "", err
	}
	if found, err = test.Result(); err != nil || found.Offered {
		return found, "", err
	}
	return nil, test.Absence(verification.Names()), nil
}

// logprobTokens is the token limit of a call for log probabilities: one token, or the smallest
// limit of the Responses API.
func logprobTokens(e *app.Endpoints, of []int) int {
	if slices.ContainsFunc(of, func(i int) bool { return e.Of(i).Wire == "responses" }) {
		return 16
	}
	return 1
}

// samples reports whether replies at a temperature are compared. Simulated models answer from the
// right answer, which an open question does not have; other programs have no temperature.
func (p *pair) samples() bool {
	return p.options.Sampling && !slices.ContainsFunc(p.sides(), func(i int) bool { return p.endpoints.Simulated(i) || !p.endpoints.Served(i) })
}

// compareSampled compares replies at a temperature, and adds the result to the test.
func (p *pair) compareSampled(stop, abort context.Context) error {
	reasoning, err := p.endpoints.ReasoningTokens(stop, p.sides()...)
	if err != nil {
		return err
	}
	test := verification.NewSampling(p.endpoints.Params(0), reasoning, p.test.Level(), p.options.MaxMissing)
	test.Apart(p.upstream())
	test.In(p.arm, p.seed())
	temperature := test.Temperature()
	err = p.runStage(stop, abort, &stage{probe: verification.Sampling, test: test, inFlight: p.arm.MaxInFlight(), what: "sampled replies",
		params: func(p *verbatim.Params) { p.Temperature = &temperature }})
	p.test.AddSampling(test.Result())
	return err
}

// runStage sends the requests of a stage. A stage that was sent before is continued.
func (p *pair) runStage(stop, abort context.Context, s *stage) error {
	p.stages = append(slices.DeleteFunc(p.stages, func(earlier *stage) bool { return earlier.probe == s.probe }), s)
	items := s.test.Items()
	var warm warmth
	if p.arm.Prefix == verification.Warm {
		warm.up = verification.NewWarmUp(items)
		items = append(slices.Clip(items), warm.up.Items()...)
	}
	plan, err := app.PlanOf(Kind, items)
	if err != nil {
		return err
	}
	var runs []verbatim.Run
	s.round, err = p.endpoints.Round(stop, abort, app.RoundOptions{
		Of: p.sides(), Plan: plan, InFlight: s.inFlight, Quiet: true, KeepGoing: true, Streamed: p.streamed(), Serial: p.options.Strict,
		Run: func(side int, r *verbatim.Run) {
			s.params(&r.Params)
			r.Test = &verbatim.Test{Kind: Kind, Settings: p.settings(side)}
			r.Test.Settings["probe"] = string(s.probe)
		},
		Begun: func(begun []verbatim.Run) error { runs = begun; return nil },
		Resume: func(side int, rec *verbatim.Record) error {
			if !warm.saved(side, rec) {
				s.test.Resume(side, rec)
			}
			return nil
		},
		Finished: func() bool { return s.skipped || s.test.Ended() },
		Source: func(side int) verbatim.Source {
			source := &ownParams{Source: warm.source(side, s.test.Source(side)), params: runs[side].Params}
			if s.limits != nil {
				source.limits = s.limits(source.params)
			}
			return source
		},
		Progress: func() string {
			ended, all := s.test.Progress()
			return fmt.Sprintf("%d of %d %s", ended, all, s.what)
		},
	})
	return err
}

// ownParams is a Source whose requests have the parameters of their run, which differ between the
// sides where the endpoints are compared as they are.
type ownParams struct {
	verbatim.Source
	params verbatim.Params
	limits func(*verbatim.Item) (reply, content int) // nil: those of the test
}

// Next implements verbatim.Source.
func (s *ownParams) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	requests, err := s.Source.Next(done)
	for i := range requests {
		r := &requests[i]
		structure := r.Params.Structure
		r.Params = s.params
		r.Params.Structure = structure
		if r.Params.SystemAs == model.SystemAsUser { // models that are no servers do not move it by themselves
			r.Prompt, _ = model.SystemInUser(r.Prompt)
		}
		if s.limits != nil {
			r.MaxTokens, r.ContentTokens = s.limits(r.Item)
		}
	}
	return requests, err
}
