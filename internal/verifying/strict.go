package verifying

import (
	"context"
	"fmt"

	"verbatim"
	"verbatim/internal/verdict/verification"
)

// The stages of a strict test.
const (
	strictLogprobs verification.ProbeName = "strict-logprobs"
	strictTexts    verification.ProbeName = "strict-texts"
	strictConfirm  verification.ProbeName = "strict-confirm"
)

// runStrict sends the calls of a strict test, part by part, until it is decided.
func (p *pair) runStrict(stop, abort context.Context) error {
	p.strict = &verification.Strict{Alpha: p.options.Alpha, Tests: p.tests(), All: p.options.All, LeftOut: !p.options.Logprobs, MaxMissing: p.options.MaxMissing}
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
	send := func(name verification.ProbeName, part *verification.Repeats, what string) error {
		return p.runStage(stop, abort, &stage{probe: name, test: part, inFlight: 1, what: what, limits: limitsOf, skipped: decided,
			params: func(params *verbatim.Params) { params.ReasoningTokens = reasoning }})
	}
	texts := verification.StrictTexts(p.seed(), prompts, params, limitsOf(params))
	if !decided {
		p.strict.Texts = texts
	}
	if err := send(strictTexts, texts, "texts"); err != nil || decided {
		return err
	}
	if ended, all := p.strict.Texts.Progress(); ended < all {
		return nil
	}
	p.strict.Screened, err = p.confirm(send)
	return err
}

// confirm sends the confirmations, and reports whether all that are needed have ended.
func (p *pair) confirm(send func(verification.ProbeName, *verification.Repeats, string) error) (ended bool, err error) {
	for i := 0; ; i++ {
		if needed, err := p.strict.NeedsConfirmation(); err != nil || !needed {
			return err == nil, err
		}
		part := p.strict.Texts.Confirm(p.seed(), i)
		p.strict.Fresh = append(p.strict.Fresh, part)
		if err := send(confirmation(i), part, "calls that confirm"); err != nil {
			return false, err
		}
		if sent, all := part.Progress(); sent < all {
			return false, nil
		}
	}
}

// confirmation names the stage of a confirmation.
func confirmation(i int) verification.ProbeName {
	if i == 0 {
		return strictConfirm
	}
	return verification.ProbeName(fmt.Sprintf("%s-%d", strictConfirm, i+1))
}

// strictLogprobs compares log probabilities, if both endpoints offer them.
func (p *pair) strictLogprobs(stop, abort context.Context) error {
	if p.strict.NoLogprobs = p.withoutLogprobs(); p.strict.LeftOut || p.strict.NoLogprobs != "" {
		return nil
	}
	part := verification.StrictLogprobs(p.seed(), p.endpoints.Params(0), logprobTokens(p.endpoints, p.sides()))
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
	return items, nil
}

// withoutLogprobs says which endpoint has no log probabilities by its kind; "" if both may.
func (p *pair) withoutLogprobs() string {
	for side, i := range p.sides() {
		if p.endpoints.Simulated(i) || p.endpoints.Of(i).Wire == "anthropic" || !p.endpoints.Served(i) {
			return verification.Names()[side] + " gives none: endpoints of its kind have none"
		}
	}
	return ""
}
