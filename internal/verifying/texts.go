package verifying

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/verdict/verification"
)

// compareTexts compares texts and exact answers.
func (p *pair) compareTexts(stop, abort context.Context, logprobs *verification.LogprobResult, absence string) error {
	prompts, err := p.drawPrompts(p.seed())
	if err != nil {
		return err
	}
	p.plan, p.prompts = prompts.plan, len(prompts.positions[0])
	reasoning, err := p.endpoints.ReasoningTokens(stop, p.sides()...)
	if err != nil {
		return err
	}
	var runs []verbatim.Run
	p.texts, err = p.endpoints.Round(stop, abort, app.RoundOptions{
		Of: p.sides(), Plan: p.plan, InFlight: verification.InFlight,
		Run: func(side int, r *verbatim.Run) {
			r.Params.ReasoningTokens = reasoning
			r.Test = &verbatim.Test{Kind: kind, Settings: p.settings(side)}
		},
		Begun: func(begun []verbatim.Run) error {
			runs = begun
			return p.prepare(prompts, logprobs, absence)
		},
		Resume:   func(side int, rec *verbatim.Record) error { return p.test.Resume(side, rec) },
		Finished: func() bool { return p.test.TextsFinished() || logprobs != nil && !logprobs.Finished },
		Source: func(side int) verbatim.Source {
			return &ownParams{p.test.Source(side), runs[side].Params, limitsOf(runs[side].Params)}
		},
		Progress: func() string {
			ended, all := p.test.Progress()
			return fmt.Sprintf("%d of at most %d prompts", ended, all)
		},
	})
	return err
}

// prepare makes the test. Parameters and token limits of its requests come from ownParams.
func (p *pair) prepare(prompts *promptPlan, logprobs *verification.LogprobResult, absence string) (err error) {
	c := verification.Config{Alpha: p.options.Alpha, Tests: p.tests(), Share: p.options.Share, MaxMissing: p.options.MaxMissing,
		Positions: prompts.positions, Request: prompts.request,
		Logprobs: logprobs, NoLogprobs: absence, Tools: p.options.Tools, Upstream: p.upstream(), All: p.options.All}
	if c.NoTools = p.withoutTools(); c.NoTools != "" {
		c.Tools = false
	}
	p.test, err = verification.New(c)
	return err
}
