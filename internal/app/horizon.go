package app

import (
	"context"
	"fmt"
	"time"

	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/task"
)

// horizons are searches that have ended, with their results. They must be closed.
type horizons struct {
	Found []report.HorizonSearch
	// Answered and Asked are numbers of items.
	Answered, Asked int64

	job      Job // holds the models and the database
	searches []*search
	open     *search // the first that is not finished; nil: all are
}

// SearchHorizons searches the horizon of every model at every task, one after the other. The
// horizons must be closed.
func (a *App) SearchHorizons(stop, abort context.Context, o HorizonOptions) (*horizons, error) {
	plans, err := planSearches(&o)
	if err != nil {
		return nil, err
	}
	h := &horizons{Found: []report.HorizonSearch{}, job: Job{app: a, options: o.Options}}
	err = h.job.open(stop, o.Params)
	if err == nil {
		err = h.begin(stop, &o, plans)
	}
	if err == nil {
		err = h.send(stop, abort)
	}
	if err == nil {
		err = h.collect(context.WithoutCancel(abort))
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// Close closes the models and the database.
func (h *horizons) Close() { h.job.Close() }

// planSearches plans a search for each task.
func planSearches(o *HorizonOptions) ([]search, error) {
	families, err := task.Select(o.Tasks)
	if err != nil {
		return nil, err
	}
	var plans []search
	for _, f := range families {
		s, err := newSearch(f, o.Request, o.Shortest, o.Longest)
		if err != nil {
			return nil, err
		}
		plans = append(plans, s)
	}
	return plans, nil
}

// begin finds or makes the run of every search, and the budget that they share.
func (h *horizons) begin(ctx context.Context, o *HorizonOptions, plans []search) error {
	var budget *pace.Budget
	if o.Pace.Budget != nil {
		budget = pace.NewBudget(*o.Pace.Budget, 0)
	}
	for _, plan := range plans {
		for _, t := range h.job.targets {
			s := plan
			s.options, s.target = o, t
			s.Job = Job{app: h.job.app, options: o.Options, plan: s.plan, store: h.job.store}
			if err := s.begin(ctx); err != nil {
				return err
			}
			if budget != nil {
				if err := s.charge(ctx, budget); err != nil {
					return err
				}
			}
			h.searches = append(h.searches, &s)
		}
	}
	return nil
}

// send sends the items of the searches, one search after the other.
func (h *horizons) send(stop, abort context.Context) error {
	var until time.Time
	if h.job.options.MaxTime > 0 {
		until = time.Now().Add(h.job.options.MaxTime)
	}
	for _, s := range h.searches {
		if stop.Err() != nil {
			break
		}
		if err := s.ask(stop, abort, until); err != nil {
			return err
		}
	}
	return nil
}

// collect reads the results.
func (h *horizons) collect(ctx context.Context) error {
	for _, s := range h.searches {
		doc, err := s.result(ctx)
		if err != nil {
			return err
		}
		h.Found = append(h.Found, doc)
		if doc.Limit != nil {
			h.Answered, h.Asked = h.Answered+doc.Limit.Answered, h.Asked+doc.Limit.Answered+doc.Limit.Unanswered
		}
		if h.open == nil && (doc.Ended == "" || doc.Limit == nil || doc.Limit.Unanswered > 0) {
			h.open = s
		}
	}
	return nil
}

// Missing returns the error of searches that are not finished; nil if all are.
func (h *horizons) Missing(stop context.Context) error {
	if h.open == nil {
		return nil
	}
	what := "the search for the horizon of " + h.open.family.Name + " is not finished"
	if h.Asked > h.Answered {
		what = fmt.Sprintf("%d of %d requests have no answer yet", h.Asked-h.Answered, h.Asked)
	}
	return h.open.Unfinished(stop, what)
}
