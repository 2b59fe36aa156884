package verifying

import (
	"context"
	"fmt"
	"slices"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/draw"
	"verbatim/internal/model"
	"verbatim/internal/task"
	"verbatim/internal/verdict/verification"
)

// toolCalls names the stage of the calls of a tool, which is no probe of its own.
const toolCalls verification.ProbeName = "tools"

// withoutTools says which endpoint is of a kind that takes no tools; "" if neither is, or the user
// leaves tools out.
func (p *pair) withoutTools() string {
	for side, i := range p.sides() {
		if p.options.Tools && p.endpoints.Of(i).Wire == "" {
			return verification.Names()[side] + " takes none: endpoints of its kind take none"
		}
	}
	return ""
}

// compareTools compares calls of a tool, and adds their result to the test.
func (p *pair) compareTools(stop, abort context.Context) error {
	reasoning, err := p.endpoints.ReasoningTokens(stop, p.sides()...)
	if err != nil {
		return err
	}
	params := p.endpoints.Params(0)
	params.ReasoningTokens = reasoning
	test := verification.NewTools(verification.ToolConfig{Seed: p.seed(), Params: params, Limits: limitsOf(params), Upstream: p.upstream(),
		MostMissing: p.options.MaxMissing * float64(2*p.prompts+verification.ToolItems)})
	err = p.runStage(stop, abort, &stage{probe: toolCalls, test: test, inFlight: 1, what: "calls of a tool", limits: limitsOf,
		params: func(params *verbatim.Params) { params.ReasoningTokens = reasoning }})
	p.test.AddTools(test.Result(), test.Refusal(verification.Names()))
	return err
}

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

// compareLogprobs compares log probabilities, and returns the result; nil if they are left out, or
// an endpoint does not offer them. Then absence says which one, and why.
func (p *pair) compareLogprobs(stop, abort context.Context) (found *verification.LogprobResult, absence string, err error) {
	if !p.options.Logprobs {
		return nil, "", nil
	}
	if absence = p.withoutLogprobs(); absence != "" {
		return nil, absence, nil
	}
	seed := draw.Rand("verify", 1, p.names(), p.options.Selection.Seed, uint64(p.earlier)).Uint64()
	test := verification.NewLogprobs(seed, p.endpoints.Params(0), p.logprobTokens(), p.options.MaxMissing)
	test.Apart(p.upstream())
	err = p.runStage(stop, abort, &stage{probe: verification.Logprobs, test: test, inFlight: verification.LogprobsInFlight, what: "calls for log probabilities",
		params: func(p *verbatim.Params) { p.Logprobs = verification.Alternatives }})
	if err != nil {
		return nil, "", err
	}
	if found, err = test.Result(); err != nil || found.Offered {
		return found, "", err
	}
	return nil, test.Absence(verification.Names()), nil
}

// withoutLogprobs says which endpoint is of a kind without log probabilities; "" if neither is.
func (p *pair) withoutLogprobs() string {
	for side, i := range p.sides() {
		if p.endpoints.Simulated(i) || p.endpoints.Of(i).Wire == "anthropic" || !p.endpoints.Served(i) {
			return verification.Names()[side] + " gives none: endpoints of its kind have none"
		}
	}
	return ""
}

// logprobTokens is the token limit of a call for log probabilities: one token, or the smallest limit of
// the Responses API if an endpoint has this protocol.
func (p *pair) logprobTokens() int {
	if slices.ContainsFunc(p.sides(), func(i int) bool { return p.endpoints.Of(i).Wire == "responses" }) {
		return 16
	}
	return 1
}

// ownParams is a Source whose requests have the parameters of their run. These differ between the
// sides if the endpoints are compared as they are.
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
		if r.Params.SystemAs == model.SystemAsUser { // only servers move the system prompt by themselves
			r.Prompt, _ = model.SystemInUser(r.Prompt)
		}
		if s.limits != nil {
			r.MaxTokens, r.ContentTokens = s.limits(r.Item)
		}
	}
	return requests, err
}

// limitsOf returns the token limits of an item: a token for each byte of the right answer and a few
// more. There is no room for talk, since only the beginning of a text is compared. A limit that the
// user set is for reasoning and text together.
func limitsOf(params verbatim.Params) func(*verbatim.Item) (reply, content int) {
	const least, more = 28, 8
	bare := task.MaxTokens(&verbatim.Item{}, 0)
	return func(it *verbatim.Item) (reply, content int) {
		if params.MaxTokens > 0 {
			return params.MaxTokens, params.MaxTokens
		}
		content = max(least, task.MaxTokens(it, 0)-bare+more)
		return content + params.ReasoningTokens, content
	}
}
