package library

import (
	"cmp"
	"context"
	"strconv"

	"verbatim/internal/store"
	"verbatim/internal/verdict"
)

// A NamedRun is a saved run with its name on the command line.
type NamedRun struct {
	SavedRun
	Given string // the name that the user wrote
	Ref   string // the name in printed commands
}

// Same reports whether r and o are the same run.
func (r NamedRun) Same(o NamedRun) bool { return r.Store == o.Store && r.N == o.N }

// Named returns the runs with these names, in their order. The name of a model means its
// newest run of the first run's plan.
func (l *Library) Named(ctx context.Context, names []string) ([]NamedRun, error) {
	var runs []NamedRun
	plan := ""
	for _, name := range names {
		run, err := l.findOf(ctx, name, plan)
		if err != nil {
			return nil, err
		}
		named := NamedRun{run, name, name}
		if l.Holds(run) {
			named.Ref = strconv.FormatInt(run.N, 10)
		}
		runs, plan = append(runs, named), cmp.Or(plan, run.Plan.Hash)
	}
	return runs, nil
}

// Sides returns the runs with their records, graded by the same version of every grader. What says
// which parts of records are read. Without a common version the error is a *store.NoCommonGrader.
func Sides(ctx context.Context, runs []NamedRun, what store.Read) ([]verdict.Side, error) {
	var saved []SavedRun
	for _, r := range runs {
		saved = append(saved, r.SavedRun)
	}
	var err error
	if what.Graders, err = commonGraders(ctx, saved); err != nil {
		return nil, err
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{
			Run: r.Run, Ref: r.Ref, Note: BuiltInNote(&r.Run),
			Records: r.Store.Records(ctx, r.N, what),
		})
	}
	return sides, nil
}
