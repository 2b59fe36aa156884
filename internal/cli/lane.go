package cli

import (
	"context"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
)

// lane joins a run to its model: the plan's places in their order, the prompt and
// the token limit of each item, and the pace.
func (a *asking) lane(r verbatim.Run, t target) (run.Lane, error) {
	return a.laneOf(r, t, func(kept *store.Places) (verbatim.Source, error) {
		deck, err := a.plan.deck()
		if err != nil {
			return nil, err
		}
		return &run.Fixed{
			Places:    places(deck),
			Kept:      kept,
			Prompt:    deck.Prompt,
			MaxTokens: maxTokens(r.Params),
			Params:    r.Params,
		}, nil
	})
}

// laneOf joins a run to its model and to the Source that says what it is asked.
func (a *asking) laneOf(r verbatim.Run, t target, source func(kept *store.Places) (verbatim.Source, error)) (run.Lane, error) {
	warmup, err := a.warmupRequests(r.Params)
	if err != nil {
		return run.Lane{}, err
	}
	others := len(a.runs) > 1
	p := a.pacing.pacer(t, a.budget, others)
	a.pacers = append(a.pacers, p)
	lane := run.Lane{
		Run:      r,
		Model:    p.Wrap(bounded(t)),
		Jobs:     p.Jobs,
		InFlight: p.Jobs,
		Patience: patience,
		Over:     p.Stop,
		Warmup:   warmup,
		Source:   source,
		Claimed:  func(w *store.Writer) error { return a.claimed(w, r.N, p) },
	}
	if !others && !t.local() && p.Jobs > 1 { // one at a time is in the planned order to the letter
		lane.Jobs += waitRoom // the Pacer sees to it that no more are in flight
	}
	switch b, ok := t.Model.(verbatim.Batcher); {
	case ok:
		lane.Batch = &run.Batching{
			Model: b, Submit: a.batch, Forget: a.forget, Afford: p.Afford, Hold: p.Hold, Settle: p.Settle, GiveUp: p.GiveUp,
			Talk: func(s string) { writeNote(a.env, "%s", s) },
		}
	case a.batch:
		return run.Lane{}, misused("leave out --batch; OpenAI, Anthropic and Gemini have batches", "%s takes no batches", t.Name)
	}
	return lane, nil
}

// claimed counts what a run has cost, now that no other process can add to it, and
// has its reservations saved from now on.
func (a *asking) claimed(w *store.Writer, run int64, p *pace.Pacer) error {
	if p.Budget == nil {
		return nil
	}
	p.Save(w.Reservations(run))
	return a.count(context.Background(), run)
}

// count charges the budget with what a run has cost and was not charged with before.
func (a *asking) count(ctx context.Context, run int64) error {
	spent, err := a.store.Spent(ctx, run)
	if err != nil {
		return err
	}
	a.budget.Charge(spent.Total() - a.counted[run])
	a.counted[run] = spent.Total()
	return nil
}

// maxTokens is the rule for token limits under a run's parameters.
func maxTokens(p verbatim.Params) func(*verbatim.Item) int {
	return func(it *verbatim.Item) int { return task.MaxTokens(it, p.ReasoningTokens) }
}

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
		out = append(out, verbatim.Request{Seq: p.Seq, Trial: p.Trial, Item: it, Attempt: 1, Prompt: deck.Prompt(it), MaxTokens: maxTokens(params)(it), Params: params})
	}
	return out, nil
}

// patience is run.Lane's: how many requests may stay without an answer at first.
const patience = 8

func gradeOf(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	return grade.Of(it, text, finish)
}
