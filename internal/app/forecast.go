package app

import (
	"context"
	"errors"

	"verbatim"
	"verbatim/internal/store/sqlite"
	"verbatim/internal/verdict/poweranalysis"
)

// A Forecast is the expected need of a run on each of its models, and its statistical power.
type Forecast struct {
	Plan   verbatim.Plan
	Budget *verbatim.Money
	Models []Estimate
	Power  *poweranalysis.Result // what its answers can detect; nil if every item is too much for one of the models
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
	j.store, err = a.OpenDatabase(ctx)
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Kind == sqlite.Missing {
		err = nil // nothing is saved yet
	}
	if err != nil {
		return nil, err
	}
	f := &Forecast{Plan: plan.Plan, Budget: o.Pace.Budget}
	for _, t := range j.targets {
		e, err := j.estimate(ctx, t, j.targets)
		if err != nil {
			return nil, err
		}
		f.Models = append(f.Models, e)
	}
	if items := f.items(); items > 0 {
		f.Power, err = j.power(ctx, j.targets, items)
	}
	return f, err
}

// items returns the number of items that can be sent to every model.
func (f *Forecast) items() int64 {
	left := f.Plan.Count
	for _, e := range f.Models {
		left = min(left, f.Plan.Count-e.TooLong-e.Skipped)
	}
	return left / int64(f.Plan.Trials)
}
