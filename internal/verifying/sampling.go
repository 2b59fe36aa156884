package verifying

import (
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/verdict/verification"
)

// compareSampled compares replies at a temperature, and adds the result to the test.
func (p *pair) compareSampled(stop, abort context.Context) error {
	reasoning, err := p.endpoints.ReasoningTokens(stop, p.sides()...)
	if err != nil {
		return err
	}
	test := verification.NewSampling(p.endpoints.Params(0), reasoning, p.test.Level(), p.options.MaxMissing)
	test.Apart(p.upstream())
	temperature := test.Temperature()
	err = p.runStage(stop, abort, &stage{probe: verification.Sampling, test: test, inFlight: verification.InFlight, what: "sampled replies",
		params: func(p *verbatim.Params) { p.Temperature = &temperature }})
	p.test.AddSampling(test.Result())
	return err
}

// samples reports whether replies at a temperature are compared. Simulated models need a right answer,
// which an open question does not have, and programs of the user have no temperature.
func (p *pair) samples() bool {
	return p.options.Sampling && !slices.ContainsFunc(p.sides(), func(i int) bool { return p.endpoints.Simulated(i) || !p.endpoints.Served(i) })
}
