package library

import (
	"context"
	"errors"
	"slices"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/report"
	"verbatim/internal/store"
)

// commonGraders returns the grader versions that all runs have, whatever store they are
// in. Without one the error is a *store.NoCommonGrader.
func commonGraders(ctx context.Context, runs []SavedRun) ([]string, error) {
	var list []store.StoredRun
	for _, r := range runs {
		list = append(list, store.StoredRun{Store: r.Store, Run: r.N})
	}
	return store.Common(ctx, list...)
}

// inputs reads runs for a report, all with the same version of every grader. Runs of
// different files that have none in common are read with the newest that each file has,
// and the report warns: an exported file cannot be graded again.
func inputs(ctx context.Context, metric report.Metric, runs []SavedRun) ([]report.Input, error) {
	graders := map[*store.Store][]string{}
	common, err := commonGraders(ctx, runs)
	var none *store.NoCommonGrader
	apart := errors.As(err, &none) && none.Apart
	if err != nil && !apart {
		return nil, err
	}
	for _, r := range runs {
		if graders[r.Store] = common; !apart {
			continue
		}
		here := slices.DeleteFunc(slices.Clone(runs), func(other SavedRun) bool { return other.Store != r.Store })
		if graders[r.Store], err = commonGraders(ctx, here); err != nil {
			return nil, err
		}
	}
	var out []report.Input
	for _, r := range runs {
		measures := Measured(metric) || longTexts(&r.Plan)
		all := store.Read{Graders: graders[r.Store], Measures: measures, Attempts: true}
		some := store.Read{Graders: graders[r.Store], Measures: measures, Tables: true}
		_, unrecorded, err := r.Store.Unrecorded(ctx, r.N)
		if err != nil {
			return nil, err
		}
		out = append(out, report.Input{
			Run:        r.Run,
			Note:       BuiltInNote(&r.Run),
			Records:    r.Store.Records(ctx, r.N, all),
			Pieces:     r.Store.Pieces(ctx, r.N, some, r.Plan.Count, pieces(r.Plan.Count)),
			Record:     recordOf(ctx, r, graders[r.Store]),
			Unrecorded: unrecorded,
		})
	}
	return out, nil
}

// Measured reports whether a score is among the measures of grades.
func Measured(metric report.Metric) bool {
	return metric == report.MetricSimilarity || metric == report.MetricSortBench
}

// longTexts reports whether a plan may hold long texts, of whose answers a report says where
// the first error is.
func longTexts(p *verbatim.Plan) bool {
	return slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool { return c.Length.Max >= report.LongText })
}

// recordOf reads single records of a run with all their parts.
func recordOf(ctx context.Context, r SavedRun, graders []string) func(int64) (verbatim.Record, error) {
	return func(seq int64) (verbatim.Record, error) {
		what := store.Read{Graders: graders, Texts: true, Measures: true, Attempts: true, From: seq, Positions: 1}
		for rec, err := range r.Store.Records(ctx, r.N, what) {
			return rec, err
		}
		return verbatim.Record{}, errkind.Damagedf("position %d of run %s is not saved", seq, r.Name)
	}
}

// pieces returns the number of parts in which a run of so many requests is read at the
// same time. A small one is read faster than a second connection is opened. A large one
// has more parts than there are processors, because not all of these are equally fast.
func pieces(requests int64) int {
	const least, most = 10_000, 16
	return int(min(max(requests/least, 1), most))
}
