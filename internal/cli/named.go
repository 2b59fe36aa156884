package cli

import (
	"cmp"
	"context"
	"strconv"

	"verbatim/internal/store"
	"verbatim/internal/verdict"
)

// A namedRun is one with what names it on a command line.
type namedRun struct {
	keptRun
	given string // as it was called
	ref   string
}

// same reports whether both are one run.
func (r namedRun) same(o namedRun) bool { return r.store == o.store && r.N == o.N }

// named returns the runs that names mean, in their order. A model's name means its
// newest run of the first run's plan.
func (l *library) named(ctx context.Context, names []string) ([]namedRun, error) {
	var runs []namedRun
	plan := ""
	for _, name := range names {
		run, err := l.findOf(ctx, name, plan)
		if err != nil {
			return nil, err
		}
		named := namedRun{run, name, name}
		if run.store == l.main {
			named.ref = strconv.FormatInt(run.N, 10)
		}
		runs, plan = append(runs, named), cmp.Or(plan, run.Plan.Hash)
	}
	return runs, nil
}

// sidesOf reads of the runs what is said, with the same version of every grader; where
// there is none the error is a *store.NoCommonGrader.
func sidesOf(ctx context.Context, runs []namedRun, what store.Read) ([]verdict.Side, error) {
	var stored []store.StoredRun
	for _, r := range runs {
		stored = append(stored, store.StoredRun{Store: r.store, Run: r.N})
	}
	var err error
	if what.Graders, err = store.Common(ctx, stored...); err != nil {
		return nil, err
	}
	var sides []verdict.Side
	for _, r := range runs {
		sides = append(sides, verdict.Side{
			Run: r.Run, Ref: r.ref, Note: builtIn(&r.Run),
			Records: r.store.Records(ctx, r.N, what),
		})
	}
	return sides, nil
}
