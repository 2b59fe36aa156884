package verifying

import (
	"context"

	"verbatim"
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
