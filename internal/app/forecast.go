package app

import (
	"context"
	"errors"

	"verbatim"
	"verbatim/internal/store"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/verdict/poweranalysis"
)

// A Forecast is what a run is expected to need.
type Forecast struct {
	Plan   verbatim.Plan
	Budget *verbatim.Money
	Models []Estimate
	Power  *poweranalysis.Result // what its answers can tell
}

// Forecast estimates what Run would still have to do, without sending anything.
func (a *App) Forecast(ctx context.Context, plan Plan, o Options) (*Forecast, error) {
	o.ModelOptions.NoRequests = true
	j := &Job{app: a, options: o, plan: plan}
	defer j.Close()
	var err error
	if j.targets, err = a.openTargets(ctx, o.Models, o.ModelOptions); err != nil {
		return nil, err
	}
	if j.store, err = openIfThere(ctx, a.Database); err != nil {
		return nil, err
	}
	f := &Forecast{Plan: plan.Plan, Budget: o.Pace.Budget}
	if f.Power, err = j.power(ctx, j.targets); err != nil {
		return nil, err
	}
	for _, t := range j.targets {
		e, err := j.estimate(ctx, t, j.targets)
		if err != nil {
			return nil, err
		}
		f.Models = append(f.Models, e)
	}
	return f, nil
}

// openIfThere opens the database; nil if it is missing.
func openIfThere(ctx context.Context, path string) (*store.Store, error) {
	s, err := store.Open(ctx, path)
	var e *sqlite.Error
	if errors.As(err, &e) && e.Kind == sqlite.Missing {
		return nil, nil
	}
	return s, err
}
