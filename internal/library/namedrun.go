package library

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"verbatim/internal/errkind"
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

// Sides returns the runs with their records. What says which parts of records are read.
func Sides(ctx context.Context, runs []NamedRun, what store.Read) (sides []verdict.Side) {
	for _, r := range runs {
		sides = append(sides, verdict.Side{
			Run: r.Run, Ref: r.Ref, Note: BuiltInNote(&r.Run),
			Records: r.Store.Records(ctx, r.N, what),
		})
	}
	return sides
}

// CheckGraders refuses runs whose answers were graded by different versions of one grader.
func CheckGraders(ctx context.Context, runs ...SavedRun) error {
	var first verdict.Graders
	for i := range runs {
		graders, err := runs[i].Store.Graders(ctx, runs[i].N)
		if err != nil {
			return err
		}
		if i == 0 {
			first = graders
		}
		err = verdict.CheckGraders(&runs[0].Run, &runs[i].Run, first, graders)
		if refused, ok := errors.AsType[*verdict.Refusal](err); ok {
			return errkind.Usagef(refused.Hint(), "%w", err)
		}
	}
	return nil
}
