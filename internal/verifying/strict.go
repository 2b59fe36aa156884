package verifying

import (
	"context"

	"verbatim"
	"verbatim/internal/verdict/verification"
)

// strictLogprobs is the stage of the log probabilities of a strict test.
const strictLogprobs verification.ProbeName = "strict-logprobs"

// runStrict sends the calls of a strict test, part by part, until it is decided.
func (p *pair) runStrict(stop, abort context.Context) error {
	p.strict = verification.NewStrict(verification.StrictConfig{
		Seed: p.seed(), Alpha: p.options.Alpha, Tests: p.tests(), All: p.options.All, LeftOut: !p.options.Logprobs, MaxMissing: p.options.MaxMissing})
	if err := p.strictLogprobs(stop, abort); err != nil {
		return err
	}
	found, err := p.strict.Result()
	if err != nil || found.TooMany {
		return err
	}
	decided := found.Word == verification.Differ && !p.options.All
	prompts, err := p.strictPrompts()
	if err != nil {
		return err
	}
	reasoning, err := p.endpoints.ReasoningTokens(stop, p.sides()...)
	if err != nil {
		return err
	}
	params := p.endpoints.Params(0)
	params.ReasoningTokens = reasoning
	texts := verification.StrictTexts(p.seed(), prompts, params, limitsOf(params))
	if !decided {
		p.strict.Compare(texts)
	}
	for part, name := texts, verification.StrictScreening; part != nil; {
		err := p.runStage(stop, abort, &stage{probe: name, test: part, inFlight: 1, what: strictCalls(name), limits: limitsOf, skipped: decided,
			params: func(params *verbatim.Params) { params.ReasoningTokens = reasoning }})
		if err != nil || decided {
			return err
		}
		if ended, all := part.Progress(); ended < all {
			return nil
		}
		if part, name, err = p.strict.Next(); err != nil {
			return err
		}
	}
	return nil
}

// strictCalls names the calls of a stage in the progress line.
func strictCalls(stage verification.ProbeName) string {
	if stage == verification.StrictScreening {
		return "texts"
	}
	return "calls that confirm"
}

// strictLogprobs compares log probabilities, if both endpoints offer them.
func (p *pair) strictLogprobs(stop, abort context.Context) error {
	if p.strict.NoLogprobs = p.withoutLogprobs(); p.strict.LeftOut || p.strict.NoLogprobs != "" {
		return nil
	}
	part := verification.StrictLogprobs(p.seed(), p.endpoints.Params(0), p.logprobTokens())
	p.strict.Logprobs = part
	err := p.runStage(stop, abort, &stage{probe: strictLogprobs, test: part, inFlight: 1, what: "calls for log probabilities",
		params: func(p *verbatim.Params) { p.Logprobs = verification.Alternatives }})
	p.strict.NoLogprobs = part.Absence(verification.Names())
	return err
}

// strictPrompts returns the prompts of the texts.
func (p *pair) strictPrompts() (items []verbatim.Item, err error) {
	selection := p.options.Selection
	selection.Trials, selection.Seed = 1, p.seed()
	if p.plan, err = selection.Plan(); err != nil {
		return nil, err
	}
	deck, err := p.plan.Deck()
	if err != nil {
		return nil, err
	}
	for position, ok := deck.Next(); ok; position, ok = deck.Next() {
		it, err := deck.Item(position)
		if err != nil {
			return nil, err
		}
		items = append(items, *deck.Applied(it))
	}
	return items[:verification.StrictPrompts(len(items), p.options.All)], nil
}
