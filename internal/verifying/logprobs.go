package verifying

import (
	"context"
	"slices"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/verdict/verification"
)

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
