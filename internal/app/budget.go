package app

import (
	"context"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/pace"
	"verbatim/internal/store"
)

// openBudget makes the budget of the job, if it has one.
func (j *Job) openBudget(ctx context.Context) error {
	if j.options.Pace.Budget == nil {
		return nil
	}
	return j.charge(ctx, pace.NewBudget(*j.options.Pace.Budget, 0))
}

// charge charges a budget with the cost of the runs so far, including the maximum cost of failed
// attempts. Claimed charges what another process adds until a run is claimed.
func (j *Job) charge(ctx context.Context, b *pace.Budget) error {
	j.budget, j.counted = b, map[int64]verbatim.Money{}
	for _, r := range j.runs {
		if err := j.count(ctx, r.N); err != nil {
			return err
		}
	}
	return nil
}

// claimed is called once no other process can write the run. It charges the cost of the run, and
// lets the Pacer save its reservations.
func (j *Job) claimed(w *store.Writer, run int64, p *pace.Pacer) error {
	if p.Budget == nil {
		return nil
	}
	p.Save(w.Reservations(run))
	return j.count(context.Background(), run)
}

// count charges the budget with the part of a run's cost that was not charged before.
func (j *Job) count(ctx context.Context, run int64) error {
	spent, err := j.store.Spending(ctx, run)
	if err != nil {
		return err
	}
	j.budget.Charge(spent.Total() - j.counted[run])
	j.counted[run] = spent.Total()
	return nil
}

// costly lists extra parameters with which a request may cost more than its reservation: several
// replies, other token limits, other tariffs, and tools with a price of their own.
func costly() []string {
	return []string{"n", "best_of", "candidateCount", "max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict",
		"service_tier", "tools", "web_search_options", "plugins"}
}

// afford returns an error if the budget cannot be enforced: a price is unknown, or the extra
// parameters may raise the cost. Params are added to the own parameters of each model.
func (p *Pace) afford(targets []target, params verbatim.Params) error {
	if p.Budget == nil {
		return nil
	}
	for _, t := range targets {
		extra := over(t.Params, params).Extra
		for _, name := range costly() {
			if _, there := extra[name]; there && t.Price != nil {
				return errkind.Usagef("leave it out, or run without a budget",
					"the extra parameter %q may make a request of %s cost more than is reserved for it: the budget cannot be enforced", name, t.Name)
			}
		}
		if t.Price == nil && !p.AllowUnpriced {
			return errkind.Usagef("name its price in verbatim.toml or with --prices FILE, or run it without a price with --unpriced",
				"the price of %s is unknown: the budget cannot be enforced", t.Name)
		}
	}
	return nil
}
