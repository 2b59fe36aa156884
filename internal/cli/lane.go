package cli

import (
	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
)

// lane joins a run to its model: the plan's places in their order, the prompt and
// the token limit of each item, and the rule of trying again.
func (a *asking) lane(r verbatim.Run, t target, index int) (run.Lane, error) {
	warmup, err := a.warmupRequests(r.Params)
	if err != nil {
		return run.Lane{}, err
	}
	return run.Lane{
		Run:      r,
		Model:    pace.Retry(a.tries)(t.Model),
		Jobs:     a.jobs,
		Patience: patience,
		Warmup:   warmup,
		Source: func(kept *store.Places) (verbatim.Source, error) {
			deck, err := a.plan.deck()
			if err != nil {
				return nil, err
			}
			return &run.Fixed{
				Places:    places(deck),
				Kept:      kept,
				Prompt:    deck.Prompt,
				MaxTokens: a.maxTokens,
				Params:    r.Params,
			}, nil
		},
	}, nil
}

func (a *asking) maxTokens(it *verbatim.Item) int { return task.MaxTokens(it, a.thinking) }

// places deals a deck's places.
func places(deck *task.Deck) func() (run.Planned, bool) {
	return func() (run.Planned, bool) {
		p, ok := deck.Next()
		return run.Planned{Seq: p.Seq, Trial: p.Trial, Item: func() (*verbatim.Item, error) { return deck.Item(p) }}, ok
	}
}

func (a *asking) warmupRequests(params verbatim.Params) ([]verbatim.Request, error) {
	if a.warmup == 0 {
		return nil, nil
	}
	deck, err := a.plan.deck()
	if err != nil {
		return nil, err
	}
	var out []verbatim.Request
	for len(out) < a.warmup {
		p, ok := deck.Next()
		if !ok {
			break
		}
		it, err := deck.Item(p)
		if err != nil {
			return nil, err
		}
		out = append(out, verbatim.Request{Item: it, Attempt: 1, Prompt: deck.Prompt(it), MaxTokens: a.maxTokens(it), Params: params})
	}
	return out, nil
}

// patience is run.Lane's: how many requests may stay without an answer at first.
const patience = 8

func gradeOf(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	return grade.Of(it, text, finish)
}
