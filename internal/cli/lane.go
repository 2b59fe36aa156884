package cli

import (
	"fmt"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/pace"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
)

// lane joins a run to its model: the plan's places in their order, the token
// limit of each item, and the rule of trying again.
func (a *asking) lane(r verbatim.Run, t target, index int) (run.Lane, error) {
	warmup, err := a.warmupRequests()
	if err != nil {
		return run.Lane{}, err
	}
	return run.Lane{
		Run:    r,
		Model:  pace.New(pace.Config{Tries: a.tries, Jobs: a.jobs}).Wrap(t.Model),
		Jobs:   a.jobs,
		Warmup: warmup,
		Source: func(kept *store.Places) (verbatim.Source, error) {
			deck, err := a.plan.deck()
			if err != nil {
				return nil, err
			}
			return &persistent{Source: &run.Fixed{
				Places:    places(deck),
				Kept:      kept,
				MaxTokens: a.maxTokens,
				Params:    a.params,
			}}, nil
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

func (a *asking) warmupRequests() ([]verbatim.Request, error) {
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
		out = append(out, verbatim.Request{Item: it, Attempt: 1, Prompt: it.Prompt, MaxTokens: a.maxTokens(it), Params: a.params})
	}
	return out, nil
}

// patience is how many requests are asked before the first answer, and how many
// of them may stay without one: an endpoint that is not there would else be asked
// the whole plan.
const patience = 8

// A persistent Source asks its first requests with patience, and ends with an
// error when none of them is answered.
type persistent struct {
	verbatim.Source
	waiting  []verbatim.Request // drawn and not asked yet
	asked    int
	lost     int // of these, without an answer
	answered bool
}

func (p *persistent) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	for i := range done {
		if p.answered = p.answered || done[i].Outcome.Answered(); p.answered {
			break
		}
		if p.lost++; p.lost < patience {
			continue
		}
		err := fmt.Errorf("none of the first %d requests was answered", patience)
		if f := done[i].Failure; f != nil {
			err = fmt.Errorf("%w: %w", err, f)
		}
		return nil, err
	}
	if len(p.waiting) == 0 {
		var err error
		if p.waiting, err = p.Source.Next(done); err != nil || p.waiting == nil {
			return nil, err
		}
	}
	n := len(p.waiting)
	if !p.answered {
		n = min(n, patience-(p.asked-p.lost))
	}
	next := p.waiting[:n]
	p.waiting = p.waiting[n:]
	p.asked += n
	return next, nil
}

func gradeOf(it *verbatim.Item, text string, finish verbatim.Finish) verbatim.Grade {
	return grade.Of(it, text, finish)
}
